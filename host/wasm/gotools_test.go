package wasm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/gotools/gotoolstest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// The labels are those of the innermost call, and after it those of the call around it.
func TestGoToolsSeeTheExportedFunctionOfACall(t *testing.T) {
	var seen [][]string
	note := func() { seen = append(seen, gotoolstest.Labels()) }
	s := newStage(t, wasm.Config{Runtime: stackful.Config{Config: scheduler.Config{GoTools: true}}})
	s.define(map[string]func(*wasm.Caller, int64) (int64, error){
		"call": func(c *wasm.Caller, n int64) (int64, error) {
			if note(); n > 0 {
				_, err := c.Instance().Call(c.Fiber, "inner")
				note()
				return n, err
			}
			return n, nil
		},
	})
	m := s.compile("guest", `
		import "env" "call" call (i64) (i64)
		func outer export i64.const 1 call call drop end
		func inner export i64.const 0 call call drop end`)
	s.spawn("f", m, func(f *stackful.Fiber, i *wasm.Instance) error {
		note()
		_, err := i.Call(f, "outer")
		note()
		return err
	})
	s.run()
	of := func(function string) []string { return []string{`{"fiber":"f0.1", ` + function + `"name":"f"}`} }
	outer, inner := of(`"function":"outer", `), of(`"function":"inner", `)
	require.Equal(t, [][]string{of(""), outer, inner, outer, of("")}, seen)
}
