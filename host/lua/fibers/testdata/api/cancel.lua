-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- A cancelled fiber unwinds where it waits; who joins it is told the cause.
local t = fiber.spawn(function() fiber.sleep(100); print("never") end)
settle()
t:cancel("no longer needed")
print(t:join()) --> false cancelled: no longer needed
print(t:join(), t:status(), fiber.now()) --> false dead 0.5
local d = fiber.spawn(fiber.sleep, 1)
d:cancel()
print(d:join()) --> false cancelled: cancelled

-- No pcall sees it, no coroutine, no handler; Lua code does not run any more.
local v = fiber.spawn(function()
	while true do
		pcall(xpcall, function() coroutine.wrap(function() pcall(fiber.sleep, 1); print("never") end)() end, function() print("never") end)
		print("never")
	end
end)
settle()
v:cancel("gone")
v:cancel("the first cause stays")
print(v:join()) --> false cancelled: gone

-- Every kind of wait ends.
local ch, full, m = fiber.chan(), fiber.chan(1), fiber.mutex()
full:send(1)
m:lock()
local idle = fiber.spawn(fiber.sleep, 1000)
local rw, sem, once, group = fiber.rwmutex(), fiber.semaphore(2), fiber.once(), fiber.group()
local first, any = fiber.group{ wait = "first_error", rest = "cancel" }, fiber.group{ wait = "any", rest = "cancel" }
local timer = fiber.timer(1000)
rw:lock(); sem:acquire(); group:add(idle); first:add(idle); any:add(idle)
local function signaled(timeout) local m = fiber.mutex(); m:lock(); fiber.cond(m):wait(timeout) end
fiber.spawn(function() once:run(function() fiber.sleep(1000) end) end)
fiber.yield()
for _, wait in ipairs{
	function() ch:recv() end, function() ch:recv(5) end, function() ch:send(1) end, function() full:send(2) end,
	function() full:send(2, 5) end, function() for _ in ch:iter() do end end, function() m:lock() end,
	function() m:lock(5) end, function() m:with(print) end, function() idle:join() end, function() idle:join(5) end,
	function() fiber.select{{ch, "recv"}, {full, "send", 1}} end, function() fiber.select{} end, function() fiber.select{timeout = 5} end,
	function() rw:lock() end, function() rw:rlock(5) end, function() rw:with(print) end, function() rw:rwith(print) end,
	function() sem:acquire(2) end, function() sem:acquire(2, 5) end, function() once:run(print) end, function() once:run(print, 5) end,
	signaled, function() signaled(5) end, function() group:wait() end, function() first:wait() end, function() any:wait(5) end,
	function() timer:wait() end, function() timer:wait(5) end, function() fiber.select{{timer, "wait"}, {ch, "recv"}} end,
	function() fiber.scope(function(s) s:spawn(fiber.sleep, 1000); fiber.sleep(1000) end) end,
	function() fiber.scope(function() fiber.sleep(1000) end, {timeout = 5}) end,
	function() while true do fiber.yield() end end, function() while true do end end,
} do
	local t = fiber.spawn(function() wait(); print("never") end)
	for i = 1, 200 do fiber.yield() end
	t:cancel("enough")
	local ok, e = t:join()
	assert(ok == false and e == "cancelled: enough", tostring(e))
end
-- Nobody was left behind in a queue.
m:unlock()
print(m:lock(0), full:recv(), ch:try_send(1), ch:try_recv()) --> true 1 false nil empty
rw:unlock()
print(rw:lock(0), sem:try_acquire(), once:done(), group:wait(0)) --> true true false nil timeout

-- A fiber may cancel itself; that takes effect when it waits or its slice ends.
local s = fiber.spawn(function() fiber.self():cancel("myself"); fiber.yield(); print("never") end)
print(s:join()) --> false cancelled: myself

-- Those who join a cancelled fiber are not cancelled by it, nor are its children.
local child
local parent = fiber.spawn(function() child = fiber.spawn(function() fiber.sleep(1); return "survived" end); fiber.sleep(100) end)
fiber.sleep(0.5)
parent:cancel()
print(parent:join()) --> false cancelled: cancelled
print(child:join()) --> true survived
idle:cancel()

-- A coroutine that was active in the fiber is dead with it, for others too.
local co = coroutine.create(function() ch:recv(); print("never") end)
local host = fiber.spawn(coroutine.resume, co)
settle()
print(coroutine.status(co), coroutine.resume(co)) --> normal false can not resume a normal thread
host:cancel()
print(host:join()) --> false cancelled: cancelled
print(coroutine.status(co), coroutine.resume(co)) --> dead false can not resume a dead thread
-- One that was only suspended is not.
local half = coroutine.create(function() coroutine.yield(1); return "whole" end)
local other = fiber.spawn(function() coroutine.resume(half); ch:recv() end)
settle()
other:cancel()
print(other:join(), coroutine.resume(half)) --> false true whole
