package fibers

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// A server may run on an island, and its program may never end.
func TestAFailureOnAnIslandIsReportedWhenItHappens(t *testing.T) {
	for name, c := range map[string]struct {
		program string
		want    []int
	}{
		"of a fiber that the island has spawned": {`
			local p = fiber.port()
			local t = fiber.island("north"):spawn(function(out)
				fiber.spawn(error, "x")
				fiber.yield()
				out:send(true)
			end, p)
			p:recv() seen() t:join()`, []int{1, 1}},
		"of a fiber of an island that an island has made": {`
			local p = fiber.port()
			fiber.island():spawn(function(out)
				fiber.island("north"):spawn(function(out)
					fiber.spawn(error, "x")
					fiber.yield()
					out:send(true)
				end, out):join()
			end, p):join()
			p:recv() seen()`, []int{1, 1}},
		"of a task that the program has discarded": {`
			local isl = fiber.island("north")
			isl:spawn(function() error("x") end)
			isl:spawn(function() for _ = 1, 100 do fiber.yield() end end):join()
			seen()`, []int{1, 1}},
		"of a task that is kept": {`
			local isl = fiber.island("north")
			local t = isl:spawn(function() error("x") end)
			isl:spawn(function() for _ = 1, 100 do fiber.yield() end end):join()
			seen()`, []int{0, 1}},
		"of a task that is joined": {`
			local t = fiber.island("north"):spawn(function() error("x") end)
			t:join() seen()`, []int{0, 0}},
		"of a fiber whose task the island keeps": {`
			local t = fiber.island("north"):spawn(function() kept = fiber.spawn(error, "x") fiber.yield() end)
			t:join() seen()`, []int{0, 1}},
		"none, of a task that is cancelled": {`
			local p = fiber.port()
			local t = fiber.island("north"):spawn(function(out) out:send(true) fiber.sleep(1e6) end, p)
			p:recv() t:cancel() t:join() seen()`, []int{0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, budget := range budgets() {
				require.Equal(t, c.want, reportedBefore(t, realTime(budget), c.program), "budget %d", budget)
			}
		})
	}
}

func TestAHandlerOnAnIslandThatFailsIsReportedAtOnce(t *testing.T) {
	require.Equal(t, []int{1, 2, 2}, reportedBefore(t, real(1000), `
		local p = fiber.port()
		local task = fiber.island("north"):spawn(function(out)
			local s = http.serve("127.0.0.1:0", function() error("x") end)
			out:send(s:addr())
			fiber.sleep(1e6)
		end, p)
		local addr = p:recv()
		for _ = 1, 2 do
			http.get("http://" .. addr)
			seen()
		end`))
}

// The report names the island and the place.
func TestTheReportOfAFailureOnAnIslandHasItsNameAndTraceback(t *testing.T) {
	for name, program := range map[string]string{
		"of the island's fiber": `
			fiber.island("north"):spawn(function()
				fiber.spawn(function() local function inner() error("boom") end inner() end)
				fiber.yield()
			end):join()`,
		"of a task": `
			local isl = fiber.island("north")
			isl:spawn(function() local function inner() error("boom") end inner() end)
			isl:spawn(function() for _ = 1, 100 do fiber.yield() end end):join()`,
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, realTime(1000))
			require.NoError(t, s.try(program))
			require.Len(t, s.failed, 1)
			require.Contains(t, s.failed[0].Error(), `failed and nothing joined it: on island "north": p.lua:3: boom`)
			var guest *GuestError
			require.True(t, errors.As(s.failed[0], &guest))
			require.Contains(t, guest.Traceback, "p.lua:3: in function 'inner'")
		})
	}
}
