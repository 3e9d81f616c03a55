-- after is a task that sleeps and then ends well, or fails if there is an error.
local function after(g, seconds, err)
	return g:spawn(function() fiber.sleep(seconds); if err then error(err, 0) end; return seconds end)
end
local start
local function begin(...) start = fiber.now(); return fiber.group(...) end
local function took() return fiber.now() - start end

-- wait gives true when all have ended well.
local g = begin()
local task = after(g, 2)
after(g, 1)
print(g:wait(0), g:wait(0.5)) --> nil nil timeout
print(g:wait()) --> true
print(took(), task:join()) --> 2 true 2
print(g:wait(), select("#", g:wait()), fiber.group():wait()) --> true 1 true

-- If one failed, wait gives false, its error, and which it was: the first that was added.
g = begin()
after(g, 1)
local second = after(g, 3, "second")
local third = after(g, 2, "third")
local ok, err, which = g:wait()
print(ok, err, which == second, took()) --> false second true 3
print(third:join()) --> false third

-- first_error does not wait for the others, and leaves them alone.
g = begin{ wait = "first_error" }
local slow = after(g, 4)
local bad = after(g, 1, "bad")
ok, err, which = g:wait()
print(ok, err, which == bad, took(), slow:status()) --> false bad true 1 blocked
print(slow:join()) --> true 4
g = begin{ wait = "first_error" }
after(g, 1); after(g, 2)
print(g:wait()) --> true
print(took()) --> 2

-- any waits for one that ends well. Failures of others are nothing that anybody must see.
g = begin{ wait = "any" }
after(g, 1, "not seen")
local winner = after(g, 2)
slow = after(g, 3)
ok, which = g:wait()
print(ok, which == winner, took(), slow:status()) --> true true 2 blocked
g = begin{ wait = "any" }
bad = after(g, 2, "bad")
after(g, 1, "worse")
ok, err, which = g:wait()
print(ok, err, which == bad, took()) --> false bad true 2

-- rest = "cancel" ends those that go on, and wait returns when they have ended.
for _, goal in ipairs{"first_error", "any"} do
	g = begin{ wait = goal, rest = "cancel" }
	local rest = { after(g, 100), after(g, 200, "never"), g:spawn(function() while true do pcall(fiber.sleep, 1) end end) }
	after(g, 1, goal == "first_error" and "bad" or nil)
	print(g:wait())
	for _, t in ipairs(rest) do assert(t:status() == "dead"); print(t:join()) end
	print(took())
end
--> false bad task: …
--> false cancelled: the group is done
--> false cancelled: the group is done
--> false cancelled: the group is done
--> 1
--> true task: …
--> false cancelled: the group is done
--> false cancelled: the group is done
--> false cancelled: the group is done
--> 1
print(slow:join()) --> true 3

-- A wait that has timed out cancels nobody; cancel does, whenever one likes.
g = begin{ rest = "cancel" }
slow = after(g, 10)
print(g:wait(1)) --> nil timeout
print(slow:status()) --> blocked
g:cancel("no more")
print(g:wait()) --> false cancelled: no more task: …
print(took(), slow:join()) --> 1 false cancelled: no more
g:cancel() -- nobody is left

-- add takes a task that was spawned before; spawn passes its arguments on. Both give the task.
g = begin()
local early = fiber.spawn(function() return "early" end)
early:join()
print(g:add(early) == early, g:add(early) == early) --> true true
print(g:spawn(function(...) return select("#", ...), ... end, nil, 2):join()) --> true 2 nil 2
print(g:wait()) --> true

-- Members may be added by members, and while somebody waits.
for _, goal in ipairs{"all", "first_error", "any"} do
	g = begin{ wait = goal }
	g:spawn(function()
		fiber.sleep(1)
		after(g, 1, goal == "first_error" and "bad" or nil)
		fiber.sleep(9)
	end)
	print(goal, g:wait())
	print(took())
end
--> all true
--> 10
--> first_error false bad task: …
--> 2
--> any true task: …
--> 2

-- Several may wait; one that is cancelled while it waits leaves the members alone.
g = begin()
slow = after(g, 5)
local waits = { fiber.spawn(g.wait, g), fiber.spawn(g.wait, g), fiber.spawn(g.wait, g, 1) }
fiber.sleep(2)
waits[1]:cancel("enough")
print(waits[1]:join()) --> false cancelled: enough
print(waits[2]:join()) --> true true
print(waits[3]:join()) --> true nil timeout
print(slow:join()) --> true 5

-- Mistakes are errors where they were made.
print(g:spawn(function() g:wait() end):join()) --> false @: join: the end of f…: a fiber cannot wait for its own end
print(pcall(function() fiber.group{ wait = "most" } end)) --> false @: bad argument #1 to group (wait: want "all", "first_error" or "any", got most)
print(pcall(function() fiber.group{ rest = true } end)) --> false @: bad argument #1 to group (rest: want "leave" or "cancel", got a boolean)
print(pcall(function() fiber.group{ "any" } end)) --> false @: bad argument #1 to group (a number: no such option; want one of wait, rest)
print(pcall(function() fiber.group("any") end)) --> false @: bad argument #1 to group (table expected, got string)
print(pcall(function() g:spawn(1) end)) --> false @: bad argument #2 to spawn (function expected, got number)
print(pcall(function() g:add(g) end)) --> false @: bad argument #2 to add (task expected, got fiber.group)
print(pcall(function() g:wait("x") end)) --> false @: bad argument #2 to wait (timeout: number of seconds expected, got string)
print(pcall(function() g.wait() end)) --> false @: bad argument #1 to wait (group expected, got nil; call it as g:method())
print(getmetatable(g), g) --> fiber.group group: group.lua:6 #…
