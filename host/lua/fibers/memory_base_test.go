//go:build !purego

package fibers

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/quota"
)

// Before the first measurement a Host counts as much as it has at most with its libraries.
func TestAProgramThatHoldsNothingIsWithinTheFirstBound(t *testing.T) {
	h := New(Config{Quota: quota.Limits{Memory: 1 << 30}})
	defer h.Close()
	require.InDelta(t, 192<<10, h.Spent().Memory, 8<<10)
	var live int64
	h.State().Base().SetGlobal("look", h.State().Base().NewFunction(func(*glua.LState) int {
		live = h.State().MeasureMemory()
		return 0
	}))
	_, err := h.Run(context.Background(), strings.NewReader("look()"), "p.lua")
	require.NoError(t, err)
	t.Log(live)
	require.Less(t, live, int64(192<<10))
	require.Greater(t, live, int64(64<<10))
}
