package wasm_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// channels are host functions over one channel; both add to what they carry, so that a
// call that gets another's result shows.
func channels(ch *wait.Chan[int64]) map[string]func(*wasm.Caller, int64) (int64, error) {
	return map[string]func(*wasm.Caller, int64) (int64, error){
		"send": func(c *wasm.Caller, n int64) (int64, error) { return n, stackful.Send(c.Fiber, ch, n) },
		"recv": func(c *wasm.Caller, n int64) (int64, error) {
			v, _, err := stackful.Recv(c.Fiber, ch)
			return v + n, err
		},
		"sleep": func(c *wasm.Caller, n int64) (int64, error) { return n, c.Fiber.Sleep(time.Duration(n)) },
	}
}

const producerAndConsumer = `
	import "env" "send" send (i64) (i64)
	import "env" "recv" recv (i64) (i64)
	func produce (i64) (i64) export
		loop
			local.get 0 call send drop
			local.get 0 i64.const 1 i64.sub local.tee 0
			i64.const 0 i64.gt_s br_if 0
		end
		local.get 0
	end
	func consume (i64) (i64) export
		locals i64
		loop
			local.get 1 call recv local.set 1
			local.get 0 i64.const 1 i64.sub local.tee 0
			i64.const 0 i64.gt_s br_if 0
		end
		local.get 1
	end`

func TestHostFunctionsWaitAndTheirFibersAloneWithThem(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		s.define(channels(wait.NewChan[int64](0)))
		m := s.compile("pc", producerAndConsumer)
		sum := s.call(m, "consume", 100)
		s.call(m, "produce", 100)
		s.run()
		require.EqualValues(t, 5050, s.result(sum))
	})
}

// Each is parked in the middle of its own machine code, with live values on its stack.
func TestFiveHundredFibersAreParkedInNativeCodeAtOnce(t *testing.T) {
	const n = 500
	each(t, wasm.Config{}, func(s *stage) {
		gates := map[int64]*wait.Chan[int64]{}
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"gate": func(c *wasm.Caller, n int64) (int64, error) {
				v, _, err := stackful.Recv(c.Fiber, gates[n])
				return v, err
			},
		})
		m := s.compile("parked", `
			import "env" "gate" gate (i64) (i64)
			func sum (i64 i64) (i64) export
				local.get 0 i64.eqz if i64 local.get 1 call gate
				else local.get 0 local.get 0 i64.const 1 i64.sub local.get 1 call sum i64.add end
			end`)
		var tasks []*stackful.Task
		for i := range n {
			gates[int64(i)] = wait.NewChan[int64](0)
			tasks = append(tasks, s.call(m, "sum", uint64(i%50), uint64(i)))
		}
		_, err := s.Fibers().Go("opener", func(f *stackful.Fiber) (any, error) {
			for f.Runtime().Scheduler().Inspect().State(tasks[n-1].ID()) != fiber.Blocked {
				_ = f.Yield()
			}
			for i := n - 1; i >= 0; i-- {
				require.Equal(t, fiber.Blocked, f.Runtime().Scheduler().Inspect().State(tasks[i].ID()))
				_ = stackful.Send(f, gates[int64(i)], int64(1000*i))
			}
			return nil, nil
		})
		require.NoError(t, err)
		s.run()
		for i, task := range tasks {
			k := i % 50
			require.EqualValues(t, 1000*i+k*(k+1)/2, s.result(task))
		}
	})
}

// wasm → host → wasm → host …, the innermost of which sleeps.
func TestACallChainParksAtAnyDepth(t *testing.T) {
	for _, depth := range []uint64{1, 2, 8, 64} {
		each(t, wasm.Config{Runtime: budget(50)}, func(s *stage) {
			s.define(map[string]func(*wasm.Caller, int64) (int64, error){
				"down": func(c *wasm.Caller, n int64) (int64, error) {
					if n == 0 {
						return 1, c.Fiber.Sleep(time.Second)
					}
					r, err := c.Instance().Call(c.Fiber, "run", uint64(n))
					if err != nil {
						return 0, err
					}
					return int64(r[0]), c.Fiber.Sleep(time.Second)
				},
			})
			m := s.compile("chain", `
				import "env" "down" down (i64) (i64)
				func run (i64) (i64) export
					local.get 0 i64.const 1 i64.sub call down
					local.get 0 i64.add
				end`)
			one, two := s.call(m, "run", depth), s.call(m, "run", depth)
			s.run()
			require.EqualValues(t, 1+depth*(depth+1)/2, s.result(one))
			require.Equal(t, s.result(one), s.result(two))
			require.EqualValues(t, depth*uint64(time.Second), s.Fibers().Scheduler().Now(), "both slept at the same time")
		})
	}
}

// Where a chain cannot be put aside, its innermost call runs the others.
func TestACallChainNestsIfItsFiberIsToldTo(t *testing.T) {
	cfg := wasm.Config{Runtime: budget(50)}
	cfg.Runtime.Nesting = true
	each(t, cfg, func(s *stage) {
		functions := channels(wait.NewChan[int64](0))
		functions["down"] = func(c *wasm.Caller, n int64) (int64, error) {
			function := "down"
			if n == 0 {
				function = "consume"
			}
			r, err := c.Instance().Call(c.Fiber, function, uint64(n))
			if err != nil {
				return 0, err
			}
			return int64(r[0]), nil
		}
		s.define(functions)
		m := s.compile("nested", producerAndConsumer+`
			import "env" "down" below (i64) (i64)
			func down (i64) (i64) export local.get 0 i64.const 1 i64.sub call below end`)
		got := s.call(m, "down", 8)
		s.call(m, "produce", 1)
		s.run()
		require.EqualValues(t, 1, s.result(got))
	})
}

func TestHostFunctionsJoinFibersOfGuests(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		var m *wasm.Module
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"fib": func(c *wasm.Caller, n int64) (int64, error) {
				v, err := c.Fiber.Join(s.call(m, "fib", uint64(n)))
				if err != nil {
					return 0, err
				}
				return int64(v.([]uint64)[0]), nil
			},
		})
		m = s.compile("fib", `
			import "env" "fib" spawned (i64) (i64)
			func fib (i64) (i64) export
				local.get 0 i64.const 2 i64.lt_s if i64 local.get 0
				else
					local.get 0 i64.const 1 i64.sub call spawned
					local.get 0 i64.const 2 i64.sub call spawned
					i64.add
				end
			end`)
		top := s.call(m, "fib", 10)
		s.run()
		require.EqualValues(t, 55, s.result(top))
	})
}

// What waits is a fiber, so a deadlock is known at once and tells who and where.
func TestADeadlockNamesModuleAndFunction(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		s.define(channels(wait.NewChan[int64](0)))
		s.call(s.compile("consumer.wasm", producerAndConsumer), "consume", 1)
		err := s.Fibers().Run(context.Background())
		require.ErrorContains(t, err, `"consumer.wasm" at consumer.wasm: consume → env.recv waits on chan`)
	})
}

func TestTheSiteOfANestedCallNamesTheWholeChain(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		var outer, inner *wasm.Module
		functions := channels(wait.NewChan[int64](0))
		functions["enter"] = func(c *wasm.Caller, n int64) (int64, error) {
			i, err := inner.Instantiate(c.Fiber, nil)
			if err != nil {
				return 0, err
			}
			defer i.Close()
			_, err = i.Call(c.Fiber, "consume", uint64(n))
			return 0, err
		}
		s.define(functions)
		inner = s.compile("inner.wasm", producerAndConsumer)
		outer = s.compile("outer.wasm", `import "env" "enter" enter (i64) (i64)
			func run () export i64.const 1 call enter drop end`)
		s.call(outer, "run")
		err := s.Fibers().Run(context.Background())
		require.ErrorContains(t, err, "at outer.wasm: run → env.enter → inner.wasm: consume → env.recv waits for its native call t0.1")
		require.ErrorContains(t, err, "t0.1 waits on chan")
	})
}

func budget(n int) (cfg stackful.Config) {
	cfg.Budget = n
	return cfg
}
