package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDeadlockReportOfAScopeNamesItAndTheFibersItWaitsFor(t *testing.T) {
	s := set(t, Config{})
	report := s.deadlock(`fiber.scope(function(s)
		s:spawn(function() fiber.chan():recv() end)
	end, {name = "crawl"})`)
	require.Contains(t, report.String(), `f0.1 "main" at p.lua:1 waits on scope "crawl" (1 fiber); could be woken by f2.1 "p.lua:2"`)
}

func TestWhenTheMainProgramReturnsTheScopesOfOthersEndToo(t *testing.T) {
	for _, n := range budgets() {
		s := set(t, slice(n))
		s.play(`
			fiber.spawn(function()
				fiber.scope(function(s)
					s:spawn(function() fiber.sleep(1e6) end)
					s:spawn(fiber.scope, function() while true do end end)
					fiber.sleep(1e6)
				end)
			end)
			for _ = 1, 10 do fiber.yield() end`)
	}
}

func TestNoProgramSurvivesTheEndOfItsScope(t *testing.T) {
	for name, body := range map[string]string{
		"a busy loop":      `while true do end`,
		"pcall of a scope": `while true do pcall(fiber.scope, function(s) s:spawn(function() while true do end end) while true do pcall(ch.recv, ch) end end) end`,
		"scopes in scopes": `local function f(n) while true do pcall(fiber.scope, function() if n > 0 then f(n - 1) end while true do pcall(ch.recv, ch) end end) end end f(5)`,
	} {
		for _, n := range budgets() {
			s := set(t, slice(n))
			s.play(`
				local ch = fiber.chan()
				print(pcall(fiber.scope, function(s)
					s:spawn(function() ` + body + ` end)
					for _ = 1, 20 do fiber.yield() end
					s:cancel("enough")
					fiber.yield()
				end, {name = "s"}))`)
			require.Equal(t, "false\tp.lua:3: scope \"s\" was cancelled: enough\n", s.printed(), name)
		}
	}
}

func TestAFailureInAScopeIsToldOnceByTheScope(t *testing.T) {
	s := set(t, Config{})
	s.play(`print(pcall(fiber.scope, function(s) s:spawn(error, "seen", 0) end))`)
	require.Equal(t, "false\tseen\n", s.printed())
	require.NoError(t, s.try(`fiber.spawn(fiber.scope, function(s) s:spawn(error, "by whoever owns it", 0) end) fiber.sleep(1)`))
	require.Len(t, s.failed, 1)
	require.ErrorContains(t, s.failed[0], "by whoever owns it")
}

func TestAKilledOwnerTakesItsLuaFibersWithIt(t *testing.T) {
	for _, n := range budgets() {
		s := set(t, slice(n))
		s.openKill()
		s.play(`
			local inner
			local owner = fiber.spawn(fiber.scope, function(s)
				inner = s:spawn(function() while true do pcall(fiber.sleep, 1) end end)
				fiber.sleep(1e6)
			end)
			fiber.sleep(3)
			kill(owner)
			print(owner:join())
			print(inner:join())`)
		require.Equal(t, "false\tfiber killed\nfalse\tfiber killed: the owner of its scope died\n", s.printed())
	}
}
