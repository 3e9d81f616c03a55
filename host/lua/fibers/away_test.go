package fibers

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

// A long source is compiled while its fiber waits, also in a coroutine; a fiber that is cancelled
// meanwhile ends.
func TestALongSourceIsCompiledWhileItsFiberWaits(t *testing.T) {
	for _, cfg := range []Config{real(10), real(10_000), slice(10_000)} {
		s := set(t, cfg)
		s.play(`
			local long = ("x = 1\n"):rep(5000) .. "return 7"
			print(assert(loadstring(long))())
			print(coroutine.wrap(function() return load(coroutine.wrap(function() coroutine.yield(long) end))() end)())
			local task = fiber.spawn(function() while true do assert(loadstring(long)) end end)
			fiber.yield()
			task:cancel()
			print(task:join())`)
		require.Equal(t, "7\n7\nfalse\tcancelled: cancelled\n", s.printed())
	}
}

func TestTheSizeOfASourceIsLimited(t *testing.T) {
	var cfg Config
	cfg.Lua.MaxSource = 10
	s := set(t, cfg)
	s.play(`local ten = "return 777" print(loadstring(ten)()) print(loadstring(ten .. " "))
		print(load(coroutine.wrap(function() while true do coroutine.yield(ten) end end)))`)
	require.Equal(t, "777\nnil\t<string>: chunk is larger than 10 bytes\nnil\t?: chunk is larger than 10 bytes\n", s.printed())
	var large *lua.SourceError
	_, err := Compile(strings.NewReader(strings.Repeat(" ", 64<<20+1)), "p.lua")
	require.True(t, errors.As(err, &large))
	require.Equal(t, lua.SourceError{Size: 64<<20 + 1, Limit: 64 << 20}, *large)
}
