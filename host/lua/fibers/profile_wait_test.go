//go:build !purego

package fibers

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/profile"
)

func TestTheTimeBeforeAFiberWaitsCountsToIt(t *testing.T) {
	p := profile.Start(profile.Config{Interval: -1})
	defer p.Stop()
	var cfg Config
	cfg.Lua.Profile = p
	h := New(cfg)
	defer h.Close()
	h.env.state.Base().SetGlobal("wait", h.env.state.Base().NewFunction(func(L *glua.LState) int {
		p.Advance(time.Millisecond)
		c := h.env.self(L)
		h.env.check(L, c.back(c.fiber.Yield()))
		return 0
	}))
	_, err := h.Run(t.Context(), strings.NewReader(`local function other() local x = 1 end
local t = fiber.spawn(function() for i = 1, 10 do other() fiber.yield() end end)
for i = 1, 5 do
  wait()
end
t:join()`), "p.lua")
	require.NoError(t, err)
	c := p.Copy()
	require.Len(t, c.Sample, 1)
	require.Equal(t, []int64{5, int64(5 * time.Millisecond)}, c.Sample[0].Value)
	require.Len(t, c.Sample[0].Location, 2)
	require.Equal(t, "wait", c.Sample[0].Location[0].Line[0].Function.Name)
	require.Equal(t, int64(4), c.Sample[0].Location[1].Line[0].Line)
	require.Equal(t, []string{"main"}, c.Sample[0].Label["name"])
}
