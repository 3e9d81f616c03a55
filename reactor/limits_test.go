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

func TestALimitThatMakesNoSenseIsNamed(t *testing.T) {
	for want, cfg := range map[string]reactor.Config{
		"Workers is -1: want 0 to 4096":             {Workers: -1},
		"Workers is 4097: want 0 to 4096":           {Workers: 4097},
		"InFlight is -2":                            {InFlight: -2},
		"Refusals is -1":                            {Refusals: -1},
		"Slice is -1":                               {Slice: -1},
		"Drain is -1":                               {Drain: -1},
		"a pool of -3 workers":                      {IO: reactor.PoolConfig{Workers: -3}},
		"Clock is set: slices on workers take real": {Workers: 1, Config: scheduler.Config{Clock: scheduler.NewVirtualClock()}},
	} {
		_, err := reactor.New(cfg, theatre{})
		require.ErrorIs(t, err, reactor.ErrConfig)
		assert.ErrorContains(t, err, want)
	}
	for _, cfg := range []reactor.Config{{Workers: reactor.MaxWorkers}, {InFlight: 1, Workers: 9}, {Slice: time.Hour}} {
		_, err := reactor.New(cfg, theatre{})
		assert.NoError(t, err)
	}
}

func TestTheEnvironmentSaysWhatTheCodeLeavesOpen(t *testing.T) {
	env := map[string]string{
		"SELVAGE_WORKERS": "3", "SELVAGE_IO_WORKERS": "5", "SELVAGE_IN_FLIGHT": "7", "SELVAGE_MAX_FIBERS": "11",
		"SELVAGE_MAX_OPERATIONS": "13", "SELVAGE_BUDGET": "17", "SELVAGE_MAX_TIMERS": "29", "SELVAGE_MAX_COMMANDS": "31", "SELVAGE_SLICE": "19ms", "SELVAGE_DRAIN": "23s",
	}
	lookup := func(name string) (string, bool) { s, set := env[name]; return s, set }
	got, err := reactor.Config{Refusals: 2, Workers: 1}.FromEnv(lookup)
	require.NoError(t, err)
	want := reactor.Config{
		Config:  scheduler.Config{MaxFibers: 11, MaxTokens: 13, Budget: 17, MaxTimers: 29, MaxCommands: 31},
		Workers: 3, InFlight: 7, IO: reactor.PoolConfig{Workers: 5},
		Slice: 19 * time.Millisecond, Drain: 23 * time.Second, Refusals: 2,
	}
	assert.Equal(t, want, got)

	for name := range env {
		for _, bad := range []string{"", "-1", "many", "1e9", "99999999999999999999", "-5s"} {
			_, err := reactor.Config{}.FromEnv(func(n string) (string, bool) { return bad, n == name })
			require.ErrorIs(t, err, reactor.ErrConfig, "%s=%s", name, bad)
			assert.ErrorContains(t, err, name)
		}
	}
}

func TestAtMostAsManyFibersLiveAsAreAllowed(t *testing.T) {
	r := newReactor(t, reactor.Config{Config: scheduler.Config{MaxFibers: 3}, Workers: 2})
	var errs []error
	_, err := run(r, func(s *slice) fiber.Outcome {
		for range 3 {
			s.Do(func(s *sched) {
				_, err := s.Spawn(player{})
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

func TestAtMostAsManyOperationsAreUnderWayAsAreAllowed(t *testing.T) {
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

// What waits to be applied is no more than what was handed out, and that has a limit.
func TestAtMostAsManySlicesAreInFlightAsAreAllowed(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 7} {
		r := newReactor(t, reactor.Config{Workers: 8, InFlight: limit, Slice: time.Hour})
		var inside atomic.Int32
		gate := make(chan struct{}) // nobody passes before as many as there may be are inside
		open := sync.OnceFunc(func() { close(gate) })
		act := func(s *slice) fiber.Outcome {
			n := inside.Add(1)
			s.Do(func(*sched) { inside.Add(-1) }) // it is in flight until this is applied
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
			enlist(t, r, 0, act, act, act)
		}
		_, err := run(r, sleeps(fiber.Time(time.Millisecond)))
		require.NoError(t, err)
	}
}

func TestAWaitWithADeadlineIsRefusedWhereThereAreTooManyTimers(t *testing.T) {
	const limit = 3
	for _, budget := range []int{1, 100} { // the refusal outlives the slice
		r := newReactor(t, reactor.Config{Workers: 2, Config: scheduler.Config{MaxTimers: limit, Budget: budget}})
		var refused, slept int
		naps := func(s *slice) fiber.Outcome { return fiber.BlockOn(fiber.Until(s.Now.After(time.Hour))) }
		told := func(s *slice) fiber.Outcome {
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
			enlist(t, r, 0, naps, told)
		}
		_, err := run(r, func(s *slice) fiber.Outcome {
			s.Do(func(s *sched) { slept = s.Inspect().Blocked() - refused }) // who was refused waits for something else
			return s.Await(receive{wait.NewChan[int](0)})
		})
		require.ErrorIs(t, err, errAll)
		assert.LessOrEqual(t, slept, limit)
		assert.Equal(t, 2, refused)
	}
}
