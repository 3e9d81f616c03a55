//go:build !purego

package fibers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// A fiber is labeled where a slice of it begins: after a wait, and where it has been preempted.
func TestGoToolsSeeTheFunctionThatASliceBeginsIn(t *testing.T) {
	for _, budget := range []int{0, 1} {
		out := &labeling{}
		h := fibers.New(fibers.Config{
			Runtime: stackful.Config{Config: scheduler.Config{GoTools: true, Budget: budget}}, Access: sandbox.Access{Stdout: out},
		})
		_, err := h.Run(t.Context(), strings.NewReader(`
			local function waits() fiber.sleep(1) print() return 1 end
			local function preempted() fiber.yield() print() return 1 end
			coroutine.wrap(function() waits() preempted() end)()
			print()`), "p.lua")
		require.NoError(t, err)
		of := func(function string) string { return `{"fiber":"f0.1", "function":"` + function + `", "name":"main"}` }
		last := of("main chunk") // that of the coroutine has ended
		require.Equal(t, [][]string{{last, of("waits")}, {last, of("preempted")}, {last}}, out.seen, "budget %d", budget)
		h.Close()
	}
}
