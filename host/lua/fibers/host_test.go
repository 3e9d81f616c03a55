package fibers

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

func TestAHostThatIsClosedRunsNothing(t *testing.T) {
	s := set(t, Config{})
	s.Close()
	require.PanicsWithValue(t, "fibers: Run on a Host that is closed; make a new one: rule CLOSED (docs/invariants.md#closed)", func() { _ = s.try(``) })
}

func TestAProgramThatFindsNoRoomForItsMainFiberIsRefused(t *testing.T) {
	cfg := Config{}
	cfg.Runtime.MaxFibers = 1
	s := set(t, cfg)
	require.NoError(t, s.State().Base().DoString(`fiber.spawn(function() end)`))
	require.ErrorIs(t, s.try(``), scheduler.ErrTooManyFibers)
}

func TestAWaitThatWouldOutlastTimeIsAnError(t *testing.T) {
	s := set(t, Config{})
	s.play(`
		fiber.sleep(9e9)
		print(pcall(fiber.sleep, 9e9))
		print(pcall(function() fiber.chan():recv(9e9) end))
		fiber.sleep(1)
		print(fiber.now())`)
	require.Equal(t, "false\tp.lua:3: bad duration: 9e+09 s is too long; want 0 or more, up to about 292 years\n"+
		"false\tp.lua:4: bad argument #2 to recv (bad duration: 9e+09 s is too long; want 0 or more, up to about 292 years)\n"+
		"9000000001\n", s.printed())
}

func TestAGoFunctionThatCallsGoexitEndsItsFiberOnly(t *testing.T) {
	s := set(t, Config{})
	s.global("failnow", func(*glua.LState) int { runtime.Goexit(); return 0 })
	require.NoError(t, s.try(`
		local t = fiber.spawn(function() pcall(coroutine.wrap(function() pcall(failnow) print("never") end)) print("never") end)
		local ok, e = t:join()
		print(ok, e:match("^[^\n]+"))
		fiber.spawn(failnow)
		fiber.yield()`))
	require.Equal(t, "false\tstackful: the function called runtime.Goexit\n", s.printed())
	require.Len(t, s.failed, 1)
	require.ErrorIs(t, s.failed[0], stackful.ErrGoexit)
	require.ErrorIs(t, s.try(`failnow()`), stackful.ErrGoexit)
}

func TestObjectsMadeWithoutALuaCallerHaveAtLeastANumber(t *testing.T) {
	s := set(t, Config{})
	err := s.try(`
		print(coroutine.wrap(fiber.chan)(), coroutine.wrap(fiber.mutex)(), pcall(fiber.chan))
		local t = coroutine.wrap(fiber.spawn)(error, "x", 0)
		print(t:name() == "", fiber.spawn(error):name())
		fiber.yield()`)
	require.NoError(t, err)
	require.Equal(t, "chan: #1\tmutex: #2\ttrue\tchan: p.lua:2 #3\ntrue\tp.lua:4\n", s.printed())
	require.Equal(t, "fiber f1.1 failed and nothing joined it: x", s.failed[0].Error())
	require.True(t, strings.HasPrefix(s.failed[1].Error(), `fiber f2.1 "p.lua:4" failed`))
}
