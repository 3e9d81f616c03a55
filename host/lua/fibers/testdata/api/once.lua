-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- One runs it, the others wait until it is done.
local o = fiber.once()
local runs, value = 0, nil
local function load() runs = runs + 1; fiber.sleep(1); value = "loaded" end
local all = {}
for i = 1, 5 do all[i] = fiber.spawn(function() local done = o:run(load); return done, value, fiber.now() end) end
settle()
print(o:done(), value, o:run(load, 0)) --> false nil nil timeout
for i = 1, 5 do local _, done, v, at = all[i]:join(); assert(done and v == "loaded" and at == 1) end
print(runs, o:done(), o:run(load), o:run(error), runs) --> 1 true true true 1

-- An error is for the one that ran it; then it is the turn of the next.
o = fiber.once()
local tries = 0
local function flaky() tries = tries + 1; fiber.sleep(1); if tries < 3 then error("try " .. tries, 0) end end
for i = 1, 4 do all[i] = fiber.spawn(function() return o:run(flaky), tries end); fiber.sleep(0.125) end
for i = 1, 4 do print(all[i]:join()) end
--> false try 1
--> false try 2
--> true true 3
--> true true 3

-- So it is when the one that runs it is cancelled, or ends in another way.
local function dies(body)
	o = fiber.once()
	local t = fiber.spawn(function() o:run(body) end)
	local next = fiber.spawn(function() local done = o:run(function() value = "second" end); return done, value end)
	local patient = fiber.spawn(function() return o:run(load, 100) end)
	settle()
	value = "first"
	t:cancel()
	t:join()
	print(next:join())
	assert(patient:join() and o:done())
end
dies(function() fiber.sleep(100) end) --> true true second
dies(function() while true do pcall(fiber.sleep, 1) end end) --> true true second
dies(function() fiber.sleep(0.25); error({}) end) --> true true second

-- A fiber that only waits for it may be cancelled.
o = fiber.once()
local runner = fiber.spawn(function() o:run(load) end)
settle()
local waits = fiber.spawn(function() o:run(load) end)
fiber.sleep(0.25)
waits:cancel("enough")
print(waits:join()) --> false cancelled: enough
print(runner:join(), o:done()) --> true true

-- Mistakes are errors where they were made.
o = fiber.once()
print(pcall(function() o:run(function() o:run(load) end) end)) --> false @: run: once "once.lua:54 #7": this fiber runs it and cannot wait for its own run
print(pcall(function() o:run() end)) --> false @: bad argument #2 to run (function expected, got nil)
print(pcall(function() o:run(load, "x") end)) --> false @: bad argument #3 to run (timeout: number of seconds expected, got string)
print(pcall(function() o.run(load) end)) --> false @: bad argument #1 to run (once expected, got function; call it as o:method())
print(getmetatable(o), o) --> fiber.once once: once.lua:54 #7

-- A coroutine that another fiber finishes has done it all the same.
local half = coroutine.wrap(function() return o:run(function() coroutine.yield("half") end) end)
print(half(), o:done()) --> half false
print(fiber.spawn(half):join()) --> true true
print(o:done(), o:run(load, 0)) --> true true

-- Where one attempt is all there may be, it fails for everybody, until somebody has put things right.
o = fiber.once{owner_death = "poison"}
local tried = fiber.spawn(function() o:run(function() fiber.sleep(1); error("broken", 0) end) end)
local waited = fiber.spawn(function() o:run(load) end)
settle()
print(tried:join()) --> false broken
print(waited:join()) --> false once.lua:70: run: once "once.lua:68 #8": its one run failed
print(pcall(function() o:run(load) end)) --> false @: run: once "once.lua:68 #8": its one run failed
print(o:done(), o:repair(), o:repair(), o:run(load), o:done()) --> false true false true true
print(pcall(function() fiber.once{owner_death = "forgive"} end)) --> false @: bad argument #1 to once (owner_death: want "hand_on" or "poison", got forgive)
