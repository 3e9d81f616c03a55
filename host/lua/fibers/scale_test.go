package fibers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/wallclock"
)

// alone makes the test binary run one program in a separate process, to measure its memory without
// that of other tests.
const alone = "SELVAGE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if program := os.Getenv(alone); program != "" {
		runAlone(program)
		return
	}
	os.Exit(m.Run())
}

// runAlone runs a program in real time, and prints the most memory it took: what Go got from the
// system, and what was resident.
func runAlone(program string) {
	var cfg Config
	cfg.Access.Stdout = os.Stdout
	cfg.Runtime.Clock = wallclock.New()
	h := New(cfg)
	defer h.Close()
	var m runtime.MemStats
	h.State().Base().SetGlobal("look", h.State().Base().NewFunction(func(*glua.LState) int {
		runtime.ReadMemStats(&m)
		return 0
	}))
	if _, err := h.Run(context.Background(), strings.NewReader(program), "p.lua"); err != nil {
		panic(err)
	}
	fmt.Println("parked:", (m.HeapInuse+m.StackInuse)>>20)
	runtime.ReadMemStats(&m)
	fmt.Println("sys:", m.Sys>>20)
	fmt.Println("resident:", resident())
}

// resident is the most memory that this process had in RAM, in MB; 0 if the system does not say.
func resident() (mb int) {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &mb); err == nil {
			return mb >> 10
		}
	}
	return 0
}

// crowds are programs of %d fibers that sleep, talk over channels and finish. look
// measures when all are alive.
func crowds() map[string]string {
	return map[string]string{
		"fan-in": `
		local n, ch, sum = %d, fiber.chan(100), 0
		for i = 1, n do fiber.spawn(function() fiber.sleep(0.5 + i / n / 10); ch:send(i); fiber.sleep(0.01) end) end
		look()
		for i = 1, n do sum = sum + ch:recv() end
		fiber.sleep(0.05)
		print(sum == n * (n + 1) / 2)`,
		"a chain": `
		local n = %d
		local first = fiber.chan()
		local last = first
		for i = 1, n do
			local from, to = last, fiber.chan()
			last = to
			fiber.spawn(function() fiber.sleep(0.5); to:send(from:recv() + 1) end)
		end
		look()
		first:send(0)
		print(last:recv() == n)`,
		"conversations": `
		local n, done = %d, fiber.chan(10)
		for i = 1, n / 2 do
			local ask, answer = fiber.chan(), fiber.chan()
			fiber.spawn(function() for q in ask:iter() do fiber.sleep(0.01); answer:send(q * 2) end answer:close() end)
			fiber.spawn(function()
				local sum = 0
				fiber.sleep(0.5)
				for q = 1, 5 do ask:send(q); sum = sum + select(2, fiber.select{{answer, "recv"}, timeout = 60}) end
				ask:close()
				done:send(sum)
			end)
		end
		look()
		local sum = 0
		for i = 1, n / 2 do sum = sum + done:recv() end
		print(sum == n / 2 * 30)`,
	}
}

// crowd is how many fibers make a program of crowds.
func crowd() int {
	if raced {
		return 1000
	}
	return 10_000
}

func TestTenThousandFibersFitInThreeHundredMegabytes(t *testing.T) {
	for name, program := range crowds() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), alone+"="+fmt.Sprintf(program, crowd()))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			var right bool
			var parked, sys, resident int
			_, err = fmt.Sscanf(string(out), "%t\nparked: %d\nsys: %d\nresident: %d\n", &right, &parked, &sys, &resident)
			require.NoError(t, err, string(out))
			t.Logf("%d fibers: %d MB when all are parked; at most %d MB from the system, %d MB resident; %v", crowd(), parked, sys, resident, time.Since(start))
			require.True(t, right)
			require.Less(t, sys, 300)
			require.Less(t, resident, 300)
		})
	}
}

func TestTenThousandFibersInVirtualTimeAreQuick(t *testing.T) {
	for name, program := range crowds() {
		t.Run(name, func(t *testing.T) {
			s := set(t, Config{})
			s.global("look", func(*glua.LState) int { return 0 })
			n := 1000
			if long.On(t) {
				n = crowd()
			}
			s.play(fmt.Sprintf(program, n))
			require.Equal(t, "true\n", s.printed())
		})
	}
}
