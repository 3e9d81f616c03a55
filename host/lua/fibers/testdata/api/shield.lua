-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- shield calls, and gives what the function gives; an error leaves as it is.
print(fiber.shield(function(...) return select("#", ...), ... end, nil, 2)) --> 2 nil 2
print(pcall(fiber.shield, error, "inside")) --> false @: inside
print(pcall(function() fiber.shield() end)) --> false @: bad argument #1 to shield (function expected, got nil)

-- A cancel waits until the function has returned, whatever it does meanwhile.
local log = {}
local function note(s) table.insert(log, s) end
local ch = fiber.chan()
local t = fiber.spawn(function()
	fiber.shield(function()
		fiber.sleep(1)
		ch:recv(1)
		fiber.shield(fiber.sleep, 1) -- they nest
		local n = 0
		for i = 1, 1000 do n = n + i end
		fiber.yield()
		note("saved")
	end)
	fiber.sleep(100)
	note("never")
end)
settle()
t:cancel("enough")
print(t:join()) --> false cancelled: enough
print(table.concat(log, " "), fiber.now()) --> saved 3

-- So it is if the function fails, and a busy fiber is told at the end of its slice.
t = fiber.spawn(function()
	pcall(fiber.shield, function() settle(); note("failed"); error("oops") end)
	while true do end
end)
fiber.yield()
t:cancel()
print(t:join()) --> false cancelled: cancelled
print(table.concat(log, " ")) --> saved failed

-- A fiber may cancel itself behind its shield.
t = fiber.spawn(function()
	fiber.shield(function() fiber.self():cancel("myself"); fiber.sleep(1); note("done") end)
	fiber.sleep(1)
	note("never")
end)
print(t:join()) --> false cancelled: myself
print(log[3], #log) --> done 3

-- A coroutine may begin a shield and another fiber end it: it was the first one's.
local half = coroutine.wrap(function() return fiber.shield(function() coroutine.yield("half"); return "whole" end) end)
local first = fiber.spawn(function()
	half()
	settle()
	ch:recv()
	note("never")
end)
fiber.sleep(0.25)
print(fiber.spawn(half):join()) --> true whole
fiber.sleep(1)
first:cancel("too late")
print(first:join()) --> false cancelled: too late
local whole = fiber.spawn(function() ch:recv() end)
settle()
whole:cancel()
print(whole:join()) --> false cancelled: cancelled
