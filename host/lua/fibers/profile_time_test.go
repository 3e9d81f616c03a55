//go:build !purego

package fibers_test

import (
	"context"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/scheduler"
)

// timed makes a Host whose programs have a global function tick: a millisecond passes in it.
func timed(t *testing.T, cfg fibers.Config, p *profile.Profile) *fibers.Host {
	t.Helper()
	cfg.Lua.Profile = p
	h := fibers.New(cfg)
	t.Cleanup(h.Close)
	h.State().Base().SetGlobal("tick", h.State().Base().NewFunction(func(*glua.LState) int {
		p.Advance(time.Millisecond)
		return 0
	}))
	return h
}

// byTest is a Profile whose time passes as the test says.
func byTest(t *testing.T) *profile.Profile {
	p := profile.Start(profile.Config{Interval: -1})
	t.Cleanup(p.Stop)
	return p
}

// milliseconds are those of each stack.
func milliseconds(p *pprof.Profile) map[string]int64 {
	all := stacks(p)
	for stack, n := range all {
		all[stack] = n / int64(time.Millisecond)
	}
	return all
}

func TestTheTimeOfAGoFunctionCountsToItsCall(t *testing.T) {
	p := byTest(t)
	_, err := timed(t, fibers.Config{}, p).Run(t.Context(), strings.NewReader(`local function work()
  tick()
  local x = 1
end
work()
pcall(tick)
coroutine.wrap(tick)()
work()
fiber.spawn(tick):join()`), "p.lua")
	require.NoError(t, err)
	require.Equal(t, map[string]int64{
		"tick < work:2 < main chunk:5": 1, "tick < pcall < main chunk:6": 1, "tick < (anonymous) < main chunk:7": 1,
		"tick < work:2 < main chunk:8": 1, "tick": 1,
	}, milliseconds(p.Copy()))
}

func TestTimeInWhichNoFiberExecutesCountsToNone(t *testing.T) {
	p := byTest(t)
	var cfg fibers.Config
	cfg.Runtime.Clock = &sleeper{VirtualClock: scheduler.NewVirtualClock(), slept: func() { p.Advance(time.Hour) }}
	h := timed(t, cfg, p)
	p.Advance(time.Hour)
	_, err := h.Run(t.Context(), strings.NewReader(`fiber.sleep(1)
tick()
fiber.spawn(function() fiber.sleep(2) tick() end):join()`), "p.lua")
	p.Advance(time.Hour)
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"tick < main chunk:2": 1, "tick < function <p.lua:3>:3": 1}, milliseconds(p.Copy()))
}

// sleeper is a clock that tells when the loop sleeps.
type sleeper struct {
	*scheduler.VirtualClock
	slept func()
}

func (s *sleeper) Wait(ctx context.Context, until fiber.Time, wake <-chan struct{}) {
	s.slept()
	s.VirtualClock.Wait(ctx, until, wake)
}

func TestHostsOnAShareHaveTheirOwnTime(t *testing.T) {
	p := byTest(t)
	on := fibers.NewShared(fibers.SharedConfig{})
	defer on.Close()
	for _, name := range []string{"a.lua", "b.lua"} {
		h := timed(t, fibers.Config{On: on}, p)
		program, err := fibers.Compile(strings.NewReader("for i = 1, 10 do tick() fiber.yield() end"), name)
		require.NoError(t, err)
		_, err = h.Start(program)
		require.NoError(t, err)
	}
	require.NoError(t, on.Run(t.Context()))
	for _, s := range p.Copy().Sample {
		require.Equal(t, int64(10*time.Millisecond), s.Value[1])
	}
	require.Len(t, p.Copy().Sample, 2)
}
