package main

import "testing"

func TestAProgramThatEndsWellGivesStatusZeroAndItsOutput(t *testing.T) {
	e := guest(t, `print("hello", 1 + 1)`)
	e.want(t, statusDone)
	e.wantOut(t, "hello\t2\n")
}

func TestAnEmptyFileIsAProgramThatDoesNothing(t *testing.T) {
	for _, text := range []string{"", "\n", "-- nothing\n", "#!/usr/bin/env selvage\n", "\ufeff#!selvage\n", "\ufeff-- marked as UTF-8\r\n"} {
		e := guest(t, text)
		e.want(t, statusDone)
		e.wantOut(t, "")
	}
}

func TestAnErrorGivesItsMessageATracebackAndStatusOne(t *testing.T) {
	e := guest(t, `
		local function inner() error("boom") end
		local function outer() inner() end
		outer()`)
	e.want(t, statusGuest, "selvage: p.lua:2: boom\n", "stack traceback:\n",
		"p.lua:2: in function 'inner'", "p.lua:3: in function 'outer'", "p.lua:4: in main chunk")
}

func TestErrorsAreNotOnlyStrings(t *testing.T) {
	for program, message := range map[string]string{
		`error({ code = 5 })`: "selvage: (error object is a table value)\n",
		`error(true)`:         "selvage: (error object is a boolean value)\n",
		`error(fiber.self())`: "selvage: (error object is a userdata value)\n",
		`error(setmetatable({}, { __tostring = function() return "shown by itself" end }))`:   "selvage: shown by itself\n",
		`error(setmetatable({}, { __tostring = function() error("no") end }))`:                "selvage: (error object is a table value)\n",
		`error(setmetatable({}, { __tostring = function() return {} end }))`:                  "selvage: (error object is a table value)\n",
		`error(setmetatable({}, { __tostring = function() fiber.sleep(0.01) return 7 end }))`: "selvage: 7\n",
		`error(42, 0)`:            "selvage: 42\n",
		`error("no position", 0)`: "selvage: no position\n",
		`local x = nil; x.y = 1`:  "selvage: p.lua:1: attempt to index",
		`string.rep()`:            "selvage: p.lua:1: bad argument #1 to rep",
	} {
		guest(t, program).want(t, statusGuest, message, "stack traceback:")
	}
}

func TestAFailureNobodyJoinedIsToldAndGivesStatusOne(t *testing.T) {
	e := guest(t, `
		local t = fiber.spawn(function() error("alone") end)
		t:name("orphan")
		while t:status() ~= "dead" do fiber.yield() end
		print("main ends well")`)
	e.wantOut(t, "main ends well\n")
	e.want(t, statusGuest, `"orphan" failed and nothing joined it: p.lua:2: alone`, "stack traceback:", "p.lua:2: in function")
}

func TestAFailureThatSomebodyJoinedIsTheirs(t *testing.T) {
	guest(t, `
		local t = fiber.spawn(function() error("seen") end)
		assert(t:join() == false)`).want(t, statusDone)
}

// A join that gave up has not seen the failure that came later.
func TestAFailureAfterATimedOutJoinIsStillTold(t *testing.T) {
	guest(t, `
		local t = fiber.spawn(function() fiber.sleep(2) error("late") end)
		assert(select(2, t:join(1)) == "timeout")
		fiber.sleep(2)`, "--virtual").want(t, statusGuest, "nothing joined it: p.lua:2: late")
}

func TestACancelledFiberIsNoFailure(t *testing.T) {
	guest(t, `
		local asleep = fiber.spawn(function() fiber.sleep(1e6) end)
		local busy = fiber.spawn(function() while true do end end)
		local fresh = fiber.spawn(function() fiber.yield() end)
		fresh:cancel() -- before it began
		fiber.yield()
		asleep:cancel()
		busy:cancel()
		while busy:status() ~= "dead" do fiber.yield() end`).want(t, statusDone)
}

func TestFibersThatAreLeftWhenMainReturnsAreKilledWithoutAWord(t *testing.T) {
	e := guest(t, `
		fiber.spawn(function() fiber.chan():recv() end)
		fiber.spawn(function() while true do pcall(fiber.sleep, 1e6) end end)
		fiber.spawn(function() while true do end end)
		fiber.yield()
		for i = 1, 20 do fiber.spawn(function() print("never begun?") end):cancel() end
		print("main ends")`)
	e.want(t, statusDone)
	e.wantOut(t, "main ends\n")
}

func TestTheMainErrorIsToldBesideThoseOfOtherFibers(t *testing.T) {
	guest(t, `
		local t = fiber.spawn(function() error("first") end)
		while t:status() ~= "dead" do fiber.yield() end
		error("second")`).want(t, statusGuest, "nothing joined it: p.lua:2: first", "selvage: p.lua:4: second")
}
