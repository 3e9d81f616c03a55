//go:build !race

package fibers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/quota"
)

// hoards are programs that use memory until their quota is passed.
var hoards = []string{
	`local t = {} for i = 1, 1e9 do t[i] = i end`,
	`local t = {} for i = 1, 1e9 do t["key" .. i] = i end`,
	`local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end`,
	`local t = {} for i = 1, 1e9 do t = {t, i, {}} end`,
	`local t = {} for i = 1, 1e9 do t[i] = function() return t, i end end`,
	`local t = {} for i = 1, 1e9 do t[i] = coroutine.wrap(function() coroutine.yield() end) t[i]() end`,
	`local t = {} for i = 1, 1e9 do t[i] = fiber.chan(100) end`,
	`local s = "x" while true do s = s .. s end`,
}

// eachQuota is the memory of one guest; together they have 128 MiB.
const eachQuota = 16 << 20

func TestTheMemoryOfTheProcessIsBoundedByTheQuotas(t *testing.T) {
	if inOwnProcess(t) {
		hoard(t)
	}
}

// hoard runs the guests at once, and compares the resident memory and the live heap with the quotas.
func hoard(t *testing.T) {
	idle := processFigure(t, "VmRSS")
	hosts := make([]*Host, len(hoards))
	var all sync.WaitGroup
	for i, program := range hoards {
		all.Go(func() {
			hosts[i] = New(Config{Quota: quota.Limits{Memory: eachQuota}})
			_, err := hosts[i].Run(context.Background(), strings.NewReader(program), "hoard.lua")
			var passed *quota.Error
			if !errors.As(err, &passed) || passed.Resource != quota.Memory {
				t.Errorf("%s ended with %v", program, err)
			}
		})
	}
	all.Wait()
	sum := int64(len(hoards)) * eachQuota
	peak := processFigure(t, "VmHWM")
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	live := int64(m.HeapAlloc)
	fmt.Printf("quotas %d MB, idle %d MB, peak %d MB (%.2f of the quotas beyond idle), live %d MB (%.2f)\n",
		sum>>20, idle>>20, peak>>20, float64(peak-idle)/float64(sum), live>>20, float64(live)/float64(sum))
	require.LessOrEqual(t, peak, idle+sum*5/2)
	require.LessOrEqual(t, live, sum*5/4)
	for _, h := range hosts {
		h.Close()
	}
}

// processFigure is a figure of /proc/self/status, in bytes.
func processFigure(t *testing.T, name string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(line, name+":"); found {
			kB, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			require.NoError(t, err)
			return kB << 10
		}
	}
	t.Fatal("no " + name)
	return 0
}
