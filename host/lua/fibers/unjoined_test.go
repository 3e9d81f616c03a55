package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

// reportedBefore runs a program that calls seen(), and returns how many failures had been reported
// at each of these calls, and at the end.
func reportedBefore(t *testing.T, cfg Config, program string) (counts []int) {
	t.Helper()
	s := set(t, cfg)
	s.global("seen", func(*glua.LState) int { counts = append(counts, len(s.failed)); return 0 })
	require.NoError(t, s.try(program))
	return append(counts, len(s.failed))
}

// A failure that no fiber can join is reported when it happens, because a server may never end.
func TestAFailureThatCannotBeJoinedIsReportedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		program string
		want    []int
	}{
		"the task is discarded": {`fiber.spawn(error, "x") fiber.yield() seen()`, []int{1, 1}},
		"in a function":         {`local function f() fiber.spawn(error, "x") end f() fiber.yield() seen()`, []int{1, 1}},
		"many":                  {`for i = 1, 3 do fiber.spawn(error, i) end fiber.yield() seen()`, []int{3, 3}},
		"later":                 {`fiber.spawn(function() fiber.sleep(1) error("x") end) seen() fiber.sleep(2) seen()`, []int{0, 1, 1}},

		"the task is kept":             {`local t = fiber.spawn(error, "x") fiber.yield() seen()`, []int{0, 1}},
		"the task is joined":           {`local t = fiber.spawn(error, "x") fiber.yield() seen() t:join()`, []int{0, 0}},
		"a tail call that discards it": {`local function f() return fiber.spawn(error, "x") end f() fiber.yield() seen()`, []int{1, 1}},
		"the task is returned":         {`local function f() return fiber.spawn(error, "x") end local t = f() fiber.yield() seen()`, []int{0, 1}},
		"the task is an argument":      {`print(fiber.spawn(error, "x") ~= nil) fiber.yield() seen()`, []int{0, 1}},
		"the task is found inside":     {`local t fiber.spawn(function() t = fiber.self() error("x") end) fiber.yield() seen() t:join()`, []int{0, 0}},
		"a call that returns all":      {`local _, t = pcall(fiber.spawn, error, "x") fiber.yield() seen() t:join()`, []int{0, 0}},
		"a cancel":                     {`fiber.spawn(function() local t = fiber.self() fiber.spawn(function() t:cancel() end) fiber.sleep(9) end) fiber.sleep(1) seen()`, []int{0, 0}},
		"no failure":                   {`fiber.spawn(print) fiber.yield() seen()`, []int{0, 0}},
		"a killed fiber":               {`fiber.spawn(fiber.sleep, 9) seen()`, []int{0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, budget := range budgets() {
				cfg := slice(budget)
				require.Equal(t, c.want, reportedBefore(t, cfg, c.program), "budget %d", budget)
			}
		})
	}
}

func TestAHandlerThatFailsIsReportedAtOnce(t *testing.T) {
	require.Equal(t, []int{1, 2, 2}, reportedBefore(t, real(1000), `
		local s = http.serve("127.0.0.1:0", function() error("x") end)
		for _ = 1, 2 do
			http.get("http://" .. s:addr())
			seen()
		end
		s:close()`))
}
