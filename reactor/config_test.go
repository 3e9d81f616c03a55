package reactor_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASettingOutOfRangeIsNamed(t *testing.T) {
	for want, cfg := range map[string]reactor.Config{
		"Workers is -1: want 0 to 4096":             {Workers: -1},
		"Workers is 4097: want 0 to 4096":           {Workers: 4097},
		"InFlight is -2":                            {InFlight: -2},
		"Refusals is -1":                            {Refusals: -1},
		"StallAfter is -1":                          {StallAfter: -1},
		"Drain is -1":                               {Drain: -1},
		"IOWorkers is -3: want 0 ":                  {IOWorkers: -3},
		"Clock is set: slices on workers take real": {Workers: 1, Config: scheduler.Config{Clock: scheduler.NewVirtualClock()}},
	} {
		_, err := reactor.New(cfg, stepMachine{})
		require.ErrorIs(t, err, reactor.ErrConfig)
		assert.ErrorContains(t, err, want)
	}
	for _, cfg := range []reactor.Config{{Workers: 4096}, {InFlight: 1, Workers: 9}, {StallAfter: time.Hour}} {
		_, err := reactor.New(cfg, stepMachine{})
		assert.NoError(t, err)
	}
}

func TestFromEnvSetsEachFieldFromItsVariable(t *testing.T) {
	env := map[string]string{
		"SELVAGE_WORKERS": "3", "SELVAGE_IO_WORKERS": "5", "SELVAGE_IN_FLIGHT": "7", "SELVAGE_MAX_FIBERS": "11",
		"SELVAGE_MAX_TOKENS": "13", "SELVAGE_BUDGET": "17", "SELVAGE_MAX_TIMERS": "29", "SELVAGE_MAX_COMMANDS": "31", "SELVAGE_STALL_AFTER": "19ms", "SELVAGE_DRAIN": "23s",
	}
	lookup := func(name string) (string, bool) { s, set := env[name]; return s, set }
	got, err := reactor.Config{Refusals: 2, Workers: 1}.FromEnv(lookup)
	require.NoError(t, err)
	want := reactor.Config{
		Config:  scheduler.Config{MaxFibers: 11, MaxTokens: 13, Budget: 17, MaxTimers: 29, MaxCommands: 31},
		Workers: 3, InFlight: 7, IOWorkers: 5,
		StallAfter: 19 * time.Millisecond, Drain: 23 * time.Second, Refusals: 2,
	}
	assert.Equal(t, want, got)

	for old, now := range map[string]string{"SELVAGE_SLICE": "SELVAGE_STALL_AFTER", "SELVAGE_MAX_OPERATIONS": "SELVAGE_MAX_TOKENS"} {
		_, err := reactor.Config{}.FromEnv(func(n string) (string, bool) { return "1", n == old })
		require.ErrorIs(t, err, reactor.ErrConfig)
		assert.ErrorContains(t, err, old+" has a new name: set "+now)
	}
	for name := range env {
		for _, bad := range []string{"", "-1", "many", "1e9", "99999999999999999999", "-5s"} {
			_, err := reactor.Config{}.FromEnv(func(n string) (string, bool) { return bad, n == name })
			require.ErrorIs(t, err, reactor.ErrConfig, "%s=%s", name, bad)
			assert.ErrorContains(t, err, name)
		}
	}
}

func TestMaxFibersLimitsTheFibersAlive(t *testing.T) {
	r := newReactor(t, reactor.Config{Config: scheduler.Config{MaxFibers: 3}, Workers: 2})
	var errs []error
	_, err := run(r, func(s *slice) fiber.Outcome {
		for range 3 {
			s.Do(func(s *sched) {
				_, err := s.Spawn(payload{})
				errs = append(errs, err)
			})
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	})
	require.NoError(t, err)
	assert.NoError(t, errs[0])
	assert.NoError(t, errs[1])
	assert.ErrorIs(t, errs[2], scheduler.ErrTooManyFibers)
}

func TestMaxTokensLimitsTheOperationsUnderWay(t *testing.T) {
	r := newReactor(t, reactor.Config{Config: scheduler.Config{MaxTokens: 2}, Workers: 2})
	var errs []error
	_, err := run(r, func(s *slice) fiber.Outcome {
		for range 3 {
			s.Do(func(s *sched) {
				_, err := s.Ops().Submit()
				errs = append(errs, err)
			})
		}
		return s.Return(nil, nil)
	})
	require.NoError(t, err)
	assert.NoError(t, errs[1])
	assert.ErrorIs(t, errs[2], ioqueue.ErrFull)
}

func TestInFlightLimitsTheSlicesHandedOut(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 7} {
		r := newReactor(t, reactor.Config{Workers: 8, InFlight: limit, StallAfter: time.Hour})
		var inside atomic.Int32
		gate := make(chan struct{}) // opened when the limit is reached
		open := sync.OnceFunc(func() { close(gate) })
		step := func(s *slice) fiber.Outcome {
			n := inside.Add(1)
			s.Do(func(*sched) { inside.Add(-1) }) // the slice is in flight until this effect
			if n > int32(limit) {
				t.Errorf("%d slices are in flight, %d may be", n, limit)
			}
			if n == int32(limit) {
				open()
			}
			<-gate
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		for range 20 {
			spawn(t, r, 0, step, step, step)
		}
		_, err := run(r, sleeps(fiber.Time(time.Millisecond)))
		require.NoError(t, err)
	}
}

func TestMaxTimersRefusesAWaitWithADeadline(t *testing.T) {
	const limit = 3
	for _, budget := range []int{1, 100} { // with 1 the refused fiber is preempted before it learns of it
		r := newReactor(t, reactor.Config{Workers: 2, Config: scheduler.Config{MaxTimers: limit, Budget: budget}})
		var refused, slept int
		naps := func(s *slice) fiber.Outcome { return fiber.BlockOn(fiber.Until(s.Now.After(time.Hour))) }
		afterRefusal := func(s *slice) fiber.Outcome {
			err := s.Refused
			s.Do(func(s *sched) {
				if refused++; refused == 2 {
					s.Steps().KillAll(errAll)
				}
				assert.ErrorIs(t, err, scheduler.ErrTooManyTimers)
			})
			return s.Await(receive{wait.NewChan[int](0)})
		}
		for range limit + 2 {
			spawn(t, r, 0, naps, afterRefusal)
		}
		_, err := run(r, func(s *slice) fiber.Outcome {
			s.Do(func(s *sched) { slept = s.Inspect().Blocked() - refused }) // a refused fiber is blocked on a channel instead
			return s.Await(receive{wait.NewChan[int](0)})
		})
		require.ErrorIs(t, err, errAll)
		assert.LessOrEqual(t, slept, limit)
		assert.Equal(t, 2, refused)
	}
}
