package fibers

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/wallclock"
)

// takers are programs that use the library to take memory without an end.
var takers = map[string]string{
	"a caught end":             `local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end`,
	"a channel":                `local ch = fiber.chan(1e6) while true do ch:send({}) end`,
	"channels":                 `local t = {} while true do t[#t + 1] = fiber.chan() end`,
	"fibers":                   `while true do fiber.spawn(fiber.sleep, 1) fiber.yield() end`,
	"results":                  `local t = {} while true do t[#t + 1] = fiber.spawn(function() return ("x"):rep(1000) end) fiber.yield() end`,
	"failures":                 `local t = {} while true do t[#t + 1] = fiber.spawn(function() error(("x"):rep(1000)) end) fiber.yield() end`,
	"a group":                  `local g = fiber.group() while true do g:spawn(function() return {} end) fiber.yield() end`,
	"timers":                   `local t = {} while true do t[#t + 1] = fiber.timer(1) end`,
	"matches":                  `local t = {} while true do t[#t + 1] = (("x"):rep(1000) .. #t):gmatch(".") end`,
	"parts of strings":         `local t = {} while true do t[#t + 1] = (("x"):rep(1000) .. #t):sub(2, 10) end`,
	"values in transit":        `local ch = fiber.chan() while true do fiber.spawn(function() local v = ch:recv() fiber.sleep(1) return v end) fiber.yield() ch:send(("x"):rep(1000)) end`,
	"arguments":                `while true do fiber.spawn(fiber.sleep, 1, ("x"):rep(1000)) fiber.yield() end`,
	"a replacement":            `(("x"):rep(1000)):gsub(".", function() local t = {} while true do t[#t + 1] = {} end end)`,
	"two fibers":               `all = {} fiber.spawn(function() while true do all[#all + 1] = {} end end) while true do all[#all + 1] = {} end`,
	"modules":                  `local n = 0 while true do n = n + 1 package.loaded["m" .. n] = {} end`,
	"the metatable of strings": `local n = 0 while true do n = n + 1 getmetatable("")["m" .. n] = {} end`,
}

func TestAProgramEndsByItsMemoryQuota(t *testing.T) {
	for name, program := range takers {
		t.Run(name, func(t *testing.T) {
			h := New(Config{Quota: quota.Limits{Memory: 4 << 20}})
			defer h.Close()
			_, err := h.Run(context.Background(), strings.NewReader(program), "p.lua")
			var passed *quota.Error
			require.ErrorAs(t, err, &passed)
			require.Equal(t, quota.Memory, passed.Resource)
			require.EqualValues(t, 4<<20, passed.Limit)
		})
	}
}

// A program whose fibers take turns prints the same with a quota that makes it measure often, in virtual
// time.
func TestAMemoryQuotaDoesNotChangeTheOrderOfFibers(t *testing.T) {
	n := 300
	if long.On(t) {
		n = 3000
	}
	program := fmt.Sprintf(`
		local all = {}
		for id = 1, 4 do
			fiber.spawn(function()
				for i = 1, %d do
					local t = {}
					for j = 1, id * 7 do t[j] = {i, tostring(j)} end
					all[#all + 1] = id
				end
			end)
		end
		fiber.sleep(1)
		print(table.concat(all))`, n)
	var printed []string
	for _, limit := range []int64{0, 1 << 20, 512 << 10} {
		var out strings.Builder
		var cfg Config
		cfg.Access.Stdout, cfg.Quota.Memory, cfg.Runtime.Budget = &out, limit, 97
		h := New(cfg)
		_, err := h.Run(context.Background(), strings.NewReader(program), "p.lua")
		require.NoError(t, err)
		h.Close()
		printed = append(printed, out.String())
	}
	require.Equal(t, printed[0], printed[1])
	require.Equal(t, printed[0], printed[2])
}

// A measurement ends its time slices, in which other fibers of the host continue it: a program that
// has much memory can be ended at any time.
func TestAProgramThatMeasuresCanBeEnded(t *testing.T) {
	var cfg Config
	cfg.Runtime.Clock, cfg.Runtime.Budget, cfg.Quota.Memory = wallclock.New(), 100, 64<<20
	h := New(cfg)
	defer h.Close()
	ctx, cancel := context.WithCancel(t.Context())
	h.State().Base().SetGlobal("stop", h.State().Base().NewFunction(func(*glua.LState) int { cancel(); return 0 }))
	_, err := h.Run(ctx, strings.NewReader(`
		all = {}
		for i = 1, 1e5 do all[i] = {} end
		fiber.spawn(function() while true do local t = {} end end)
		fiber.sleep(0.001)
		stop()
		while true do local t = {} end`), "p.lua")
	require.ErrorIs(t, err, context.Canceled)
}
