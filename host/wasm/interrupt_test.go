package wasm_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

var errStop = errors.New("stop")

// endless are functions that never return; the host function calls back and drops every
// error, or waits without a deadline.
const endless = `
	import "env" "stubborn" the_stubborn (i64) (i64)
	import "env" "wait" the_wait (i64) (i64)
	func loop () export loop br 0 end end
	func nested () export loop loop br 1 end end end
	func recurse () export loop call leaf br 0 end end
	func leaf () end
	func wait () export i64.const 0 call the_wait drop end
	func deaf () export loop i64.const 0 call the_stubborn drop br 0 end end
	func stubborn () export i64.const 1 call the_stubborn drop end
	func tail () export return_call tail end`

func (s *stage) defineEndless() *wasm.Module {
	s.define(map[string]func(*wasm.Caller, int64) (int64, error){
		"stubborn": func(c *wasm.Caller, forever int64) (int64, error) {
			for again := true; again; again = forever != 0 {
				_, _ = c.Instance().Call(c.Fiber, "wait")
				_, _ = c.Instance().Call(c.Fiber, "loop")
			}
			return 0, nil
		},
		"wait": func(c *wasm.Caller, _ int64) (int64, error) {
			_, _, err := c.Fiber.Await(fiber.OnQueue(), nil)
			return 0, err
		},
	})
	return s.compile("endless.wasm", endless)
}

// stops runs a function of endless, has it stopped after it has run for a while, and
// counts the slices that it takes after that. The error is that of the call.
func (s *stage) stops(function string, stop func(id fiber.ID)) (slices int, err error) {
	task := s.spawn("endless", s.defineEndless(), func(f *stackful.Fiber, i *wasm.Instance) error {
		_, err = i.Call(f, function)
		return err
	})
	_, goErr := s.Fibers().Go("stopper", func(f *stackful.Fiber) (any, error) {
		for range 10 {
			require.NoError(s.t, f.Yield())
		}
		stop(task.ID())
		for ; f.Runtime().Scheduler().Inspect().State(task.ID()) != fiber.Dead; slices++ {
			require.NoError(s.t, f.Yield())
			require.Less(s.t, slices, 1000)
		}
		return nil, nil
	})
	require.NoError(s.t, goErr)
	s.run()
	require.ErrorIs(s.t, failure(s.t, task), errStop)
	return slices, err
}

func TestAKillEndsWhateverTheCodeDoes(t *testing.T) {
	for _, function := range []string{"loop", "nested", "recurse", "wait", "tail"} {
		t.Run(function, func(t *testing.T) {
			each(t, wasm.Config{Runtime: budget(100)}, func(s *stage) {
				slices, err := s.stops(function, func(id fiber.ID) { s.Fibers().Scheduler().Kill(id, errStop) })
				var stopped *stackful.Interrupt
				require.ErrorAs(s.t, err, &stopped)
				require.True(s.t, stopped.Killed)
				require.ErrorIs(s.t, err, errStop)
				require.ErrorContains(s.t, err, "endless.wasm: "+function+": killed: ")
				require.LessOrEqual(s.t, slices, 2)
			})
		})
	}
}

func TestACancelEndsWhateverTheCodeDoes(t *testing.T) {
	for _, function := range []string{"loop", "nested", "recurse", "wait", "tail"} {
		t.Run(function, func(t *testing.T) {
			each(t, wasm.Config{Runtime: budget(100)}, func(s *stage) {
				slices, err := s.stops(function, func(id fiber.ID) {
					require.NoError(t, s.Fibers().Scheduler().Cancel(id, errStop))
				})
				var typed *wasm.CallError
				require.ErrorAs(s.t, err, &typed)
				require.True(s.t, typed.TakeInterrupt())
				require.NotContains(s.t, fmt.Sprint(typed.Trace), "preempt")
				require.Contains(s.t, fmt.Sprint(typed.Trace), "."+function+"()")
				require.EqualError(s.t, err, "endless.wasm: "+function+": cancelled: stop")
				require.LessOrEqual(s.t, slices, 2)
			})
		})
	}
}

// The interrupt of a joined fiber is in the error chain, but is not that of this fiber.
func TestACallIsInterruptedByTheEndOfItsOwnFiberOnly(t *testing.T) {
	cancelled, killed := &stackful.Interrupt{Cause: errStop}, &stackful.Interrupt{Killed: true}
	joined := &stackful.TaskError{Task: "other", Err: cancelled}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errStop, false},
		{cancelled, true},
		{killed, true},
		{fmt.Errorf("while it read: %w", cancelled), true},
		{joined, false},
		{fmt.Errorf("joining: %w", joined), false},
		{&scope.Failure{Scope: "s", Err: killed}, false},
		{&stackful.Interrupt{Cause: joined}, true},
	} {
		require.Equal(t, c.want, (&wasm.CallError{Err: c.err}).TakeInterrupt(), "%v", c.err)
	}
}

// The host function ignores the error; the loop around it is interrupted again.
func TestAHostFunctionCannotKeepAKillFromTheCodeThatCalledIt(t *testing.T) {
	each(t, wasm.Config{Runtime: budget(100)}, func(s *stage) {
		slices, err := s.stops("deaf", func(id fiber.ID) { s.Fibers().Scheduler().Kill(id, errStop) })
		require.ErrorIs(s.t, err, errStop)
		require.LessOrEqual(s.t, slices, 4)
	})
}

// The host function itself never returns: every call is refused, and in the end its stack is
// unwound.
func TestAHostFunctionThatWillNotListenIsUnwound(t *testing.T) {
	each(t, wasm.Config{Runtime: budget(100)}, func(s *stage) {
		slices, err := s.stops("stubborn", func(id fiber.ID) { s.Fibers().Scheduler().Kill(id, errStop) })
		require.NoError(s.t, err, "the call has not returned")
		require.LessOrEqual(s.t, slices, 200)
	})
}

func TestDeferredCallsOfAKilledHostFunctionRun(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"hold": func(c *wasm.Caller, depth int64) (int64, error) {
				defer s.say("unwound %d", depth)
				if depth > 0 {
					_, err := c.Instance().Call(c.Fiber, "run", uint64(depth))
					return 0, err
				}
				return 0, c.Fiber.Sleep(time.Hour)
			},
		})
		m := s.compile("held.wasm", `import "env" "hold" hold (i64) (i64)
			func run (i64) export local.get 0 i64.const 1 i64.sub call hold drop end`)
		task := s.call(m, "run", 3)
		_, err := s.Fibers().Go("killer", func(f *stackful.Fiber) (any, error) {
			require.NoError(t, f.Sleep(time.Second))
			s.Fibers().Scheduler().Kill(task.ID(), errStop)
			return nil, nil
		})
		require.NoError(t, err)
		s.run()
		require.ErrorIs(t, failure(t, task), errStop)
		require.Equal(t, []string{"unwound 0", "unwound 1", "unwound 2"}, s.lines)
	})
}

func TestGoexitInAHostFunctionEndsItsFiberOnly(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"exit": func(_ *wasm.Caller, n int64) (int64, error) {
				if n > 0 {
					runtime.Goexit()
				}
				return 1, nil
			},
		})
		m := s.compile("exit.wasm", `import "env" "exit" exit (i64) (i64)
			func run (i64) (i64) export local.get 0 call exit end`)
		gone, other := s.call(m, "run", 1), s.call(m, "run", 0)
		s.run()
		require.ErrorIs(t, failure(t, gone), stackful.ErrGoexit)
		require.EqualValues(t, 1, s.result(other))
	})
}

func TestTheEndOfTheContextEndsARunOfEndlessCode(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		m := s.defineEndless()
		for range 20 {
			s.call(m, "loop")
			s.call(m, "wait")
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := s.Fibers().Go("canceller", func(f *stackful.Fiber) (any, error) { cancel(); return nil, nil })
		require.NoError(t, err)
		require.ErrorIs(t, s.Fibers().Run(ctx), context.Canceled)
	})
}

// Close before the run, during it, and after it.
func TestCloseAtAnyMoment(t *testing.T) {
	for _, turns := range []int{0, 1, 3, 100} {
		each(t, wasm.Config{Runtime: budget(10)}, func(s *stage) {
			functions := channels(wait.NewChan[int64](0))
			s.define(functions)
			m := s.compile("pc", producerAndConsumer)
			ctx, cancel := context.WithCancel(t.Context())
			for i := range uint64(10) {
				s.call(m, "consume", i)
				s.call(m, "produce", i)
			}
			_, err := s.Fibers().Go("ender", func(f *stackful.Fiber) (any, error) {
				for range turns {
					if err := f.Yield(); err != nil {
						return nil, err
					}
				}
				cancel()
				return nil, nil
			})
			require.NoError(t, err)
			if turns > 0 {
				require.Error(t, s.Fibers().Run(ctx))
			}
			cancel()
		})
	}
}
