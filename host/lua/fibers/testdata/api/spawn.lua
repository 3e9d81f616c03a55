-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- fiber.spawn starts later; arguments and results are values of any kind, nils included.
local t = fiber.spawn(function(...) print("runs", select("#", ...), ...) return 1, nil, "x", nil end, nil, "a", nil)
settle() --> runs 3 nil a nil
print(t:join()) --> true 1 nil x nil
print(select("#", t:join())) --> 5

-- Tables, functions and coroutines pass by reference.
local box = {}
local same = fiber.spawn(function(b, f, c) b.seen = true; return b, f, c end, box, print, coroutine.create(print))
local ok, b, f, c = same:join()
print(ok, b == box, f == print, type(c), box.seen) --> true true true thread true

-- Fibers run in the order of their spawns.
local order = {}
for i = 1, 5 do fiber.spawn(table.insert, order, i) end
settle()
print(table.concat(order, " ")) --> 1 2 3 4 5

-- self is the same object wherever it is asked for, and for whoever spawned it.
local me
local it = fiber.spawn(function()
	me = fiber.self()
	local inner = coroutine.wrap(function() return fiber.self() end)()
	return inner == me and select(2, pcall(fiber.self)) == me
end)
print(it:join()) --> true true
print(it == me, it ~= fiber.self(), fiber.self() == fiber.self(), rawequal(it, me)) --> true true true true
local known = {[it] = "as a key"}
print(known[me]) --> as a key

-- A Go function is a function.
local ch = fiber.chan(1)
print(fiber.spawn(ch.send, ch, "from Go"):join()) --> true true
print(fiber.spawn(ch.recv, ch):join()) --> true from Go true
print(fiber.spawn(fiber.sleep, -1):join()) --> false @: bad argument #1 to a spawned function (bad duration: -1 s is negative; …)
print(fiber.spawn(string.rep, "ab", 2):join()) --> true abab
print(select(2, fiber.spawn(fiber.spawn, string.rep, "spawned ", 2):join()):join()) --> true spawned spawned …

-- A spawned function sees its upvalues and the globals; a recursive one spawns itself.
shared = {}
local function tree(n)
	table.insert(shared, n)
	if n == 0 then return 1 end
	local a, b = fiber.spawn(tree, n - 1), fiber.spawn(tree, n - 1)
	return select(2, a:join()) + select(2, b:join()) + 1
end
print(tree(6), #shared) --> 127 127

-- Names: the position of the spawn, until it is given a better one. An ID never changes.
print(fiber.spawn(function() return fiber.self():name() end):join()) --> true @
local n = fiber.spawn(function() fiber.sleep(1); return fiber.self():name() end)
print(n:name("worker"), n:name()) --> worker worker
print(n:join()) --> true worker
print(n:name(), n:name("late"), n:name()) --> worker late late
print(fiber.self():name(), type(n.id), n.id == n.id, n.id ~= fiber.self().id) --> main string true true
print(tostring(n) == "task: " .. n.id, n.anything) --> true nil
local ids = {}
for i = 1, 100 do local t = fiber.spawn(function() end); t:join(); assert(not ids[t.id]); ids[t.id] = true end

-- The four states.
local gate, go = fiber.chan(), false
local s = fiber.spawn(function() while not go do fiber.yield() end; gate:recv(); return fiber.self():status() end)
print(s:status()) --> runnable
fiber.yield()
print(s:status()) --> runnable
go = true
settle()
print(s:status()) --> blocked
gate:send(1)
print(s:join()) --> true running
print(s:status(), fiber.self():status()) --> dead running

-- yield lets everybody else who is ready run; sleep and now agree; both are in seconds.
local log = {}
for i = 1, 2 do fiber.spawn(function() for j = 1, 3 do table.insert(log, i .. "." .. j); fiber.yield() end end) end
settle()
print(table.concat(log, " ")) --> 1.1 2.1 1.2 2.2 1.3 2.3
local before = fiber.now()
fiber.sleep(1.5)
print(fiber.now() - before) --> 1.5
fiber.sleep(0)
print(fiber.now() - before, select("#", fiber.sleep(0)), select("#", fiber.yield())) --> 1.5 0 0

-- Sleepers wake in the order of their deadlines, equal ones in the order in which they fell asleep.
local woke = {}
local all = {}
for i, s in ipairs{3, 1, 2, 1, 0} do all[i] = fiber.spawn(function() fiber.sleep(s); table.insert(woke, i) end) end
for _, t in ipairs(all) do t:join() end
print(table.concat(woke, " ")) --> 5 2 4 3 1

print(require "fiber" == fiber, package.loaded.fiber == fiber, ...) --> true true one two
print(arg[0], arg[1], arg[2], arg[3]) --> spawn.lua one two nil
