package fibers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// No code of the program runs after os.exit, wherever it is called, and no pcall catches it.
func TestExitEndsTheProgramAndNotTheProcess(t *testing.T) {
	for name, program := range map[string]string{
		"main":                `os.exit(3)`,
		"a protected call":    `pcall(os.exit, 3)`,
		"a fiber":             `fiber.spawn(os.exit, 3) while true do fiber.yield() end`,
		"a busy main":         `fiber.spawn(os.exit, 3) while true do end`,
		"a coroutine":         `coroutine.wrap(function() os.exit(3) end)()`,
		"a shield":            `fiber.shield(function() os.exit(3) end)`,
		"a metamethod":        `local x = setmetatable({}, { __index = function() os.exit(3) end }) local y = x.y`,
		"a scope":             `fiber.scope(function(s) s:spawn(os.exit, 3) fiber.sleep(1) end)`,
		"a lock":              `fiber.mutex():with(os.exit, 3)`,
		"a require":           `package.preload.m = function() os.exit(3) end require("m")`,
		"another fiber waits": `local ch = fiber.chan() fiber.spawn(function() pcall(ch.recv, ch) print("late") end) fiber.yield() os.exit(3)`,
	} {
		for _, budget := range budgets() {
			s := boxed(t, slice(budget))
			err := s.try(program + ` print("late")`)
			var exit *ExitError
			require.ErrorAs(t, err, &exit, name)
			assert.Equal(t, 3, exit.Status, name)
			assert.Empty(t, s.printed(), name)
			assert.Empty(t, s.failed, name)
			require.NoError(t, s.try("print(1)"), "the Host can run another program")
			assert.Equal(t, "1\n", s.printed())
		}
	}
}

func TestAnExitWithTheStatusZeroIsNoError(t *testing.T) {
	for _, program := range []string{"os.exit()", "os.exit(0)", "fiber.spawn(os.exit) fiber.sleep(1)"} {
		s := boxed(t, Config{})
		values, err := s.Run(t.Context(), strings.NewReader(program+" return 1"), "p.lua")
		assert.NoError(t, err, program)
		assert.Empty(t, values)
	}
	assert.EqualError(t, &ExitError{7}, "the program has called os.exit(7)")
}

func TestAnExitInACallEndsTheCall(t *testing.T) {
	s := boxed(t, Config{})
	require.NoError(t, s.try("function leave(status) os.exit(status) end"))
	_, err := s.Call(t.Context(), "leave", 4)
	assert.Equal(t, &ExitError{4}, err)
	values, err := s.Call(t.Context(), "leave", 0)
	assert.NoError(t, err)
	assert.Empty(t, values)
}

func TestAnExitEndsServe(t *testing.T) {
	for status := range 2 {
		s := boxed(t, Config{})
		require.NoError(t, s.try("function leave(status) os.exit(status) end function wait() fiber.chan():recv() end"))
		waits, err := s.Start("wait")
		require.NoError(t, err)
		leaves, err := s.Start("leave", status)
		require.NoError(t, err)
		err = s.Serve(t.Context())
		if status == 0 {
			assert.NoError(t, err)
		} else {
			assert.Equal(t, &ExitError{1}, err)
		}
		for _, h := range []*bind.Handle{waits, leaves} {
			_, err := h.Result(t.Context())
			assert.ErrorIs(t, err, scheduler.ErrKilled)
			assert.ErrorAs(t, err, new(*ExitError))
		}
	}
}

func TestAnExitOfAnIslandEndsTheProgram(t *testing.T) {
	for _, program := range []string{
		`fiber.island():spawn(function() os.exit(5) end):join() print("late")`,
		`fiber.island():spawn(function() fiber.island():spawn(function() os.exit(5) end):join() print("late") end) fiber.sleep(1000) print("late")`,
		`fiber.island():spawn(function() while true do end end) os.exit(5) print("late")`,
	} {
		var cfg Config
		cfg.Runtime.Clock = wallclock.New()
		s := boxed(t, cfg)
		assert.Equal(t, &ExitError{5}, s.try(program))
		assert.Empty(t, s.printed())
	}
}

// The command of an island that arrives after the end of the run has no effect on the next one.
func TestAnExitOfAnIslandIsForItsOwnRun(t *testing.T) {
	var cfg Config
	cfg.Runtime.Clock = wallclock.New()
	s := boxed(t, cfg)
	for _, program := range []string{`fiber.sleep(0.001) print(1)`, `fiber.island() fiber.sleep(0.001) print(1)`} {
		require.NoError(t, s.try(`fiber.island()`))
		s.islands.set.exit(&ExitError{6})
		require.NoError(t, s.try(program))
		assert.Equal(t, "1\n", s.printed())
	}
}
