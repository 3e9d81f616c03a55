package wasm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/stackful"
)

const spinner = `
	import "env" "yield" yield (i64) (i64)
	func yields (i64) export loop
		i64.const 1 call yield drop
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end end
	func spins (i64) export loop
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end end`

func (s *stage) defineSpinner() *wasm.Module {
	s.define(map[string]func(*wasm.Caller, int64) (int64, error){
		"yield": func(c *wasm.Caller, n int64) (int64, error) { return n, c.Fiber.Yield() },
	})
	return s.compile("spinner", spinner)
}

// Both the end of a slice and a host function's wait: a thousand of them cost no more
// memory than one.
func TestSuspendingAFiberAllocatesNothing(t *testing.T) {
	for _, function := range []string{"yields", "spins"} {
		each(t, wasm.Config{Runtime: budget(7)}, func(s *stage) {
			m := s.defineSpinner()
			s.spawn("allocating", m, func(f *stackful.Fiber, i *wasm.Instance) error {
				allocs := func(turns uint64) float64 {
					return testing.AllocsPerRun(10, func() {
						_, err := i.Call(f, function, turns)
						require.NoError(t, err)
					})
				}
				require.Equal(t, allocs(1), allocs(1000))
				return nil
			})
			s.run()
		})
	}
}
