-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- wait gives up the mutex, and has it again when it returns.
local m = fiber.mutex()
local c = fiber.cond(m)
local order = {}
local function waiter(name, timeout)
	local t = fiber.spawn(function()
		return m:with(function()
			local got, why = c:wait(timeout)
			table.insert(order, name)
			fiber.sleep(0.25)
			return got, why, fiber.now()
		end)
	end)
	settle()
	return t
end
local a, b, d = waiter("a"), waiter("b"), waiter("d")
print(m:try_lock(), select("#", c:signal())) --> true 0
settle()
print(#order) --> 0
m:unlock()
settle()
print(table.concat(order, " ")) --> a
c:broadcast()
for _, t in ipairs{a, b, d} do assert(select(2, t:join()) == true) end
print(table.concat(order, " ")) --> a b d
c:signal()
c:broadcast() -- for nobody

-- A wait that has timed out has the mutex too, however long that takes.
local start = fiber.now()
local late = waiter("late", 1)
m:lock()
fiber.sleep(2)
m:unlock()
local _, got, why, at = late:join()
print(got, why, at - start) --> nil timeout 2.75

-- A queue of one's own: nothing is lost and every wait ends.
local queue, sum, consumers = {}, 0, {}
for i = 1, 3 do
	consumers[i] = fiber.spawn(function()
		while true do
			m:lock()
			while #queue == 0 do c:wait() end
			local v = table.remove(queue, 1)
			m:unlock()
			if v == "stop" then return end
			sum = sum + v
		end
	end)
end
for i = 1, 30 do
	m:with(function() table.insert(queue, i); c:signal() end)
	if i % 4 == 0 then fiber.yield() end
end
for i = 1, 3 do m:with(table.insert, queue, "stop"); c:signal() end
for i = 1, 3 do assert(consumers[i]:join()) end
print(sum, #queue) --> 465 0

-- A cancelled waiter ends where it is, also while somebody has the mutex, and does no harm.
local w = waiter("cancelled")
m:lock()
w:cancel("enough")
print(w:join()) --> false cancelled: enough
m:unlock()
-- Even one that was signaled already: the signal goes to the next.
order = {}
local chosen, heir = waiter("chosen"), waiter("heir")
m:lock()
c:signal()
chosen:cancel()
chosen:join()
m:unlock()
assert(heir:join())
print(table.concat(order, " "), m:lock(0)) --> heir true

-- Mistakes are errors where they were made, and the mutex stays as it is.
print(fiber.spawn(function() c:wait() end):join()) --> false @: wait: cond "cond.lua:6 #2": only the owner may unlock
m:unlock()
print(pcall(function() c:wait() end)) --> false @: wait: cond "cond.lua:6 #2": only the owner may unlock
print(pcall(function() c:wait(-1) end)) --> false @: bad argument #2 to wait (bad duration: -1 s is negative; want 0 or more, up to about 292 years)
print(pcall(function() fiber.cond() end)) --> false @: bad argument #1 to cond (mutex expected, got nil)
print(pcall(function() fiber.cond(fiber.rwmutex()) end)) --> false @: bad argument #1 to cond (mutex expected, got fiber.rwmutex)
print(pcall(function() c.signal(m) end)) --> false @: bad argument #1 to signal (cond expected, got fiber.mutex; call it as c:method())
print(getmetatable(c), c) --> fiber.cond cond: cond.lua:6 #2

-- A mutex that is poisoned ends the waits for a signal too, and the way back from one.
local waits, times = waiter("waits"), waiter("times", 0.75)
local dead = fiber.spawn(function() m:lock(); fiber.sleep(1); error("oops") end)
print(dead:join()) --> false cond.lua:93: oops
print(waits:join()) --> false cond.lua:11: lock: mutex "cond.lua:5 #1": the lock is poisoned: its owner died while it held it
print(times:join()) --> false cond.lua:11: lock: mutex "cond.lua:5 #1": the lock is poisoned: its owner died while it held it
