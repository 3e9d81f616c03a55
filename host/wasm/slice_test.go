package wasm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/stackful"
)

// turns is a module whose loop of seven instructions takes that many turns, and tells the
// host at the end.
const turns = `
	import "env" "tell" tell (i64) (i64)
	func run (i64 i64) (i64) export
		loop
			local.get 1 i64.const 1 i64.sub local.tee 1
			i64.const 0 i64.gt_s br_if 0
		end
		local.get 0 call tell
	end`

func tell(s *stage) map[string]func(*wasm.Caller, int64) (int64, error) {
	return map[string]func(*wasm.Caller, int64) (int64, error){
		"tell": func(_ *wasm.Caller, n int64) (int64, error) { s.say("%d", n); return n, nil },
	}
}

func TestBusyFibersTakeTurns(t *testing.T) {
	each(t, wasm.Config{Runtime: budget(100)}, func(s *stage) {
		s.define(tell(s))
		m := s.compile("turns", turns)
		s.call(m, "run", 1, 3000)
		s.call(m, "run", 2, 1000)
		s.call(m, "run", 3, 2000)
		s.run()
		require.Equal(t, []string{"2", "3", "1"}, s.lines, "the shortest is done first")
	})
}

func TestALongSliceIsNotInterrupted(t *testing.T) {
	each(t, wasm.Config{Runtime: budget(1_000_000)}, func(s *stage) {
		s.define(tell(s))
		m := s.compile("turns", turns)
		s.call(m, "run", 1, 3000)
		s.call(m, "run", 2, 10)
		s.run()
		require.Equal(t, []string{"1", "2"}, s.lines)
	})
}

// A hundred calls of ten units each are as long as one call of a thousand.
func TestCallsOneAfterTheOtherUseUpOneSlice(t *testing.T) {
	each(t, wasm.Config{Runtime: budget(100)}, func(s *stage) {
		s.define(tell(s))
		m := s.compile("turns", turns)
		for id := range uint64(2) {
			s.spawn("caller", m, func(f *stackful.Fiber, i *wasm.Instance) error {
				for range 20 {
					if _, err := i.Call(f, "run", id, 3); err != nil {
						return err
					}
				}
				return nil
			})
		}
		s.run()
		changes := 0
		for i := range s.lines[1:] {
			if s.lines[i] != s.lines[i+1] {
				changes++
			}
		}
		require.Greater(t, changes, 8, s.lines)
	})
}

// An instance that calls others does not get a slice for each.
func TestNestedCallsShareTheSliceOfTheirFiber(t *testing.T) {
	slices := func(nested bool) uint64 {
		s := newStage(t, wasm.Config{Runtime: budget(1000)})
		var inner *wasm.Module
		functions := tell(s)
		var instances []*wasm.Instance
		functions["enter"] = func(c *wasm.Caller, n int64) (int64, error) {
			i := instances[int(n)%len(instances)]
			if !nested {
				i = instances[0]
			}
			_, err := i.Call(c.Fiber, "run", 0, 10)
			return 0, err
		}
		s.define(functions)
		inner = s.compile("inner", turns)
		outer := s.compile("outer", `import "env" "enter" enter (i64) (i64)
			func run (i64) export loop
				local.get 0 call enter drop
				local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
			end end`)
		s.spawn("outer", outer, func(f *stackful.Fiber, i *wasm.Instance) error {
			for range 50 {
				one, err := inner.Instantiate(f, nil)
				require.NoError(t, err)
				instances = append(instances, one)
			}
			_, err := i.Call(f, "run", 500)
			return err
		})
		s.run()
		return s.Fibers().Scheduler().Inspect().Transitions()
	}
	require.Equal(t, slices(false), slices(true))
	require.Greater(t, slices(true), uint64(40))
}
