package reactor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRunReturnsWhatTheMainFiberReturns(t *testing.T) {
	inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
		r := newReactor(t, cfg)
		requests, answers := wait.NewChan[int](0), wait.NewChan[int](0)
		spawn(t, r, 0, receives(requests), func(s *slice) fiber.Outcome {
			return s.Await(send{answers, 2 * s.Data.got})
		})
		got, err := run(r, sends(requests, 21), receives(answers))
		require.NoError(t, err)
		assert.Equal(t, 42, got)
		_, err = run(r)
		assert.ErrorIs(t, err, reactor.ErrRan)
	})
}

func TestRunReturnsTheMainFibersError(t *testing.T) {
	inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
		why := errors.New("out of stock")
		_, err := run(newReactor(t, cfg), func(s *slice) fiber.Outcome { return s.Return(nil, why) })
		assert.ErrorIs(t, err, why)
	})
}

// Each slice waits on its worker for the other one, so they end only if they run in parallel.
func TestSlicesRunInParallel(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2})
	here, there := make(chan int), make(chan int)
	spawn(t, r, 1, then(func(*slice) { here <- 1; <-there }))
	_, err := run(r, then(func(*slice) { <-here; there <- 1 }))
	require.NoError(t, err)
}

func TestSlicesOfAGroupRunOneAfterTheOtherInDispatchOrder(t *testing.T) {
	const groups, fibers, slices = 3, 12, 40
	inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
		r := newReactor(t, cfg)
		done := wait.NewChan[int](fibers)
		var order [groups + 1][]int // an element is used by the slices of its group only
		for n := range fibers {
			g := n%groups + 1
			var steps []func(*slice) fiber.Outcome
			for range slices {
				steps = append(steps, func(*slice) fiber.Outcome {
					order[g] = append(order[g], n)
					runtime.Gosched()
					return fiber.Outcome{Kind: fiber.TimesliceExpired}
				})
			}
			spawn(t, r, reactor.Group(g), append(steps, sends(done, n))...)
		}
		var all []func(*slice) fiber.Outcome
		for range fibers {
			all = append(all, receives(done))
		}
		_, err := run(r, all...)
		require.NoError(t, err)
		for g, ns := range order[1:] {
			require.Len(t, ns, slices*fibers/groups)
			for i, n := range ns {
				assert.Equal(t, g+groups*(i%(fibers/groups)), n, "group %d, slice %d", g+1, i)
			}
		}
	})
}

func TestEffectsHappenInOrderBeforeTheSlicesOutcome(t *testing.T) {
	inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
		r := newReactor(t, cfg)
		var log []int
		note := func(n int) func(*sched) { return func(*sched) { log = append(log, n) } }
		_, err := run(r, func(s *slice) fiber.Outcome {
			s.Do(note(1))
			s.Do(note(2))
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}, func(s *slice) fiber.Outcome {
			s.Do(note(3))
			s.Do(func(s *sched) {
				_, err := s.Spawn(payload{steps: []func(*slice) fiber.Outcome{}})
				assert.NoError(t, err)
			})
			return s.Return(nil, nil)
		})
		require.NoError(t, err)
		assert.Equal(t, []int{1, 2, 3}, log)
		assert.Equal(t, uint64(2), r.Scheduler().Inspect().Counts().Spawned)
	})
}

func TestAKilledFiberIsPreemptedAndDiesWhenItsSliceEnds(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2, StallAfter: time.Hour})
	running, effect := make(chan struct{}), false
	victim := spawn(t, r, 0, func(s *slice) fiber.Outcome {
		s.Do(func(*sched) { effect = true })
		close(running)
		for !s.Preempted() {
			runtime.Gosched()
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}, then(func(*slice) { t.Error("it goes on") }))
	_, err := run(r, func(s *slice) fiber.Outcome {
		<-running
		s.Do(func(s *sched) { assert.NoError(t, s.Kill(victim.ID(), nil)) })
		return fiber.BlockOn(fiber.Until(s.Now.After(time.Millisecond)))
	})
	require.NoError(t, err)
	assert.True(t, effect)
	assert.Equal(t, fiber.Dead, r.Scheduler().Inspect().State(victim.ID()))
}

func TestAFiberKilledWhileItsSliceIsQueuedNeverRuns(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2})
	first := make(chan struct{})
	spawn(t, r, 1, then(func(*slice) { <-first }))
	victim := spawn(t, r, 1, then(func(*slice) { t.Error("it runs") }))
	last := wait.NewChan[int](1)
	spawn(t, r, 1, sends(last, 7))
	got, err := run(r, func(s *slice) fiber.Outcome {
		s.Do(func(s *sched) {
			assert.Equal(t, fiber.Running, s.Inspect().State(victim.ID()))
			assert.NoError(t, s.Kill(victim.ID(), nil))
			close(first)
		})
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}, receives(last))
	require.NoError(t, err)
	assert.Equal(t, 7, got)
}

// The cancel comes before the wait begins (early), or during it.
func TestACancelEndsTheOperationTheFiberWaitsFor(t *testing.T) {
	for name, operation := range map[string]func(*reactor.Reactor[payload], *wait.Chan[int]) func(*slice) fiber.Outcome{
		"receive": func(_ *reactor.Reactor[payload], ch *wait.Chan[int]) func(*slice) fiber.Outcome { return receives(ch) },
		"send":    func(_ *reactor.Reactor[payload], ch *wait.Chan[int]) func(*slice) fiber.Outcome { return sends(ch, 1) },
		"work": func(r *reactor.Reactor[payload], _ *wait.Chan[int]) func(*slice) fiber.Outcome {
			forever := func(ctx context.Context) int { <-ctx.Done(); return 1 }
			return func(s *slice) fiber.Outcome { return s.Await(work{r.IO(), forever}) }
		},
		"sleep": func(*reactor.Reactor[payload], *wait.Chan[int]) func(*slice) fiber.Outcome {
			return sleeps(fiber.Time(time.Hour))
		},
		"bare wait": func(*reactor.Reactor[payload], *wait.Chan[int]) func(*slice) fiber.Outcome {
			return func(*slice) fiber.Outcome { return fiber.BlockOn(fiber.OnQueue()) }
		},
	} {
		for _, early := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, early %v", name, early), func(t *testing.T) {
				inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
					r := newReactor(t, cfg)
					never, codes := wait.NewChan[int](0), wait.NewChan[int](1)
					cancel := func(s *sched, id fiber.ID) { assert.NoError(t, s.Cancel(id, nil)) }
					waits := operation(r, never)
					waiter := spawn(t, r, 0, func(s *slice) fiber.Outcome {
						if early {
							s.Do(func(s *sched) { cancel(s, s.Current()) })
						}
						return waits(s)
					}, func(s *slice) fiber.Outcome {
						return s.Await(send{codes, int(max(s.Data.ended, s.Woke.Code))})
					})
					got, err := run(r, func(s *slice) fiber.Outcome {
						if !early {
							s.Do(func(s *sched) { cancel(s, waiter.ID()) })
						}
						return s.Await(receive{codes})
					})
					require.NoError(t, err)
					assert.Equal(t, int(fiber.Cancelled), got)
					receivers, senders := never.Waiting()
					assert.Zero(t, receivers+senders)
				})
			})
		}
	}
}

func TestAPanicOrGoexitInASliceFailsItsFiber(t *testing.T) {
	for name, step := range map[string]func(){
		"panic": func() { panic("lost") }, "exit": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			var failures atomic.Int32
			r := newReactor(t, reactor.Config{Workers: 1, Config: scheduler.Config{
				Unobserved: func(e *scheduler.UnobservedError) { failures.Add(1) },
			}})
			for range 10 {
				spawn(t, r, 0, then(func(*slice) { step() }))
			}
			got, err := run(r, func(s *slice) fiber.Outcome {
				if failures.Load() < 10 {
					s.Data.at = 0
					return fiber.Outcome{Kind: fiber.TimesliceExpired}
				}
				s.Data.got = 5
				return fiber.Outcome{Kind: fiber.FrameChanged}
			})
			require.NoError(t, err)
			assert.Equal(t, 5, got)
			assert.EqualValues(t, 10, failures.Load())
		})
	}
}

func TestRunReturnsTheMainFibersPanicWithItsStack(t *testing.T) {
	inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
		_, err := run(newReactor(t, cfg), func(*slice) fiber.Outcome { panic(fmt.Errorf("no %w", errors.ErrUnsupported)) })
		var p *scheduler.PanicError
		require.ErrorAs(t, err, &p)
		assert.ErrorIs(t, err, errors.ErrUnsupported)
		assert.Contains(t, string(p.Stack), "reactor_test.go")
	})
}

func TestADeadlockIsReportedWhenNoSliceIsInFlight(t *testing.T) {
	inEveryConfig(t, func(t *testing.T, cfg reactor.Config) {
		_, err := run(newReactor(t, cfg), then(func(*slice) { runtime.Gosched() }), receives(wait.NewChan[int](0)))
		var d *scheduler.DeadlockError
		assert.ErrorAs(t, err, &d)
	})
}

func TestTheEndOfTheContextEndsSpinningFibers(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2})
	ctx, cancel := context.WithCancel(context.Background())
	spin := func(s *slice) fiber.Outcome {
		for !s.Preempted() {
			cancel()
		}
		s.Data.at = 0
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
	for range 5 {
		spawn(t, r, 0, spin)
	}
	_, err := r.Run(ctx, payload{steps: []func(*slice) fiber.Outcome{spin}})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, r.Scheduler().Inspect().Live())
}

func TestNoSliceBeginsAfterTheMainFiberReturned(t *testing.T) {
	for _, workers := range []int{0, 2} {
		r := newReactor(t, reactor.Config{Workers: workers, InFlight: 1})
		for range 40 {
			spawn(t, r, 0, func(*slice) fiber.Outcome {
				return fiber.Outcome{Kind: fiber.TimesliceExpired} // ready behind the main fiber
			}, then(func(*slice) { t.Error("randomFiber ran after main") }))
		}
		_, err := run(r)
		require.NoError(t, err)
		assert.Zero(t, r.Scheduler().Inspect().Live())
	}
}

func TestAFiberThatOnlyChangesFramesIsPreemptedAtTheEndOfItsBudget(t *testing.T) {
	for _, workers := range []int{0, 1} {
		r := newReactor(t, reactor.Config{Workers: workers, InFlight: 1, Config: scheduler.Config{Budget: 5}})
		slices := 0
		spawn(t, r, 0, func(s *slice) fiber.Outcome {
			s.Data.at = 0
			s.Do(func(*sched) { slices++ })
			return fiber.Outcome{Kind: fiber.FrameChanged}
		})
		buffered := wait.NewChan[int](100)
		_, err := run(r, sends(buffered, 1), sends(buffered, 2), sends(buffered, 3), sends(buffered, 4))
		require.NoError(t, err)
		assert.Equal(t, 5, slices)
	}
}
