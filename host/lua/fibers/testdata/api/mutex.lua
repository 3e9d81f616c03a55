-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- lock gives true; unlock gives nothing; a free lock can be had at once.
local m = fiber.mutex()
print(m:lock(), select("#", m:unlock()), m:lock(0)) --> true 0 true
m:unlock()

-- Only one fiber is inside, whatever waits inside.
local inside, most, sum = 0, 0, 0
local all = {}
for i = 1, 20 do
	all[i] = fiber.spawn(function()
		m:lock()
		inside = inside + 1
		most = math.max(most, inside)
		local old = sum
		if i % 2 == 0 then fiber.yield() else fiber.sleep(0.1) end
		sum = old + i
		inside = inside - 1
		m:unlock()
	end)
end
for _, t in ipairs(all) do t:join() end
print(most, sum) --> 1 210

-- Who waits longest is next; the lock is handed over, so nobody overtakes.
local order = {}
m:lock()
for i = 1, 4 do all[i] = fiber.spawn(function() m:lock(); settle(); table.insert(order, i); m:unlock() end); settle() end
m:unlock()
print(m:lock(0)) --> nil timeout
for i = 1, 4 do all[i]:join() end
print(table.concat(order, " "), m:lock(0)) --> 1 2 3 4 true
m:unlock()

-- A lock may be waited for with a limit; who gave up is skipped.
m:lock()
local tired = fiber.spawn(function() return m:lock(1) end)
local patient = fiber.spawn(function() local got = m:lock(); m:unlock(); return got, fiber.now() - sum end)
sum = fiber.now()
fiber.sleep(3)
m:unlock()
print(tired:join()) --> true nil timeout
print(patient:join()) --> true true 3

-- Mistakes are errors where they were made.
print(pcall(function() m:unlock() end)) --> false @: unlock: mutex "mutex.lua:5 #1": only the owner may unlock
m:lock()
print(pcall(function() m:lock() end)) --> false @: lock: mutex "mutex.lua:5 #1": this fiber holds the lock already; unlock it first
print(pcall(function() m:lock(1) end)) --> false @: lock: mutex "mutex.lua:5 #1": this fiber holds the lock already; unlock it first
print(pcall(function() m:with(print) end)) --> false @: lock: mutex "mutex.lua:5 #1": this fiber holds the lock already; unlock it first
print(fiber.spawn(function() m:unlock() end):join()) --> false @: unlock: mutex "mutex.lua:5 #1": only the owner may unlock
m:unlock()

-- with locks, calls, unlocks, and gives what the function gives.
print(m:with(function(...) return select("#", ...), ... end, nil, "x", nil)) --> 3 nil x nil
print(select("#", m:with(function() end))) --> 0
print(m:with(function() local t = fiber.now(); fiber.sleep(1); return fiber.now() - t end)) --> 1
print(m:with(string.rep, "ab", 2)) --> abab
print(m:with(fiber.select, {default = true})) --> default

-- An error inside leaves as it is, with its value and its traceback, and the lock is free.
local object = {}
print(select(2, pcall(m.with, m, error, object)) == object) --> true
print(pcall(function() m:with(function() error("inside") end) end)) --> false @: inside
print(pcall(function() m:with(function() fiber.sleep(1); local x; x.y = 1 end) end)) --> false @: attempt to index a non-table object(nil) with key 'y'
print(pcall(m.with, m, function() error(nil) end)) --> false nil
print(xpcall(function() m:with(function() local function deepest() error("trace", 0) end deepest() end) end, debug.traceback))
--> false trace
--> stack traceback:
-->  [G]: in function 'error'
-->  …: in function 'deepest'
-->  …: in function <…
-->  [G]: in function 'with'
-->  …
-->  [G]: in function 'xpcall'
-->  …: in main chunk
-->  [G]: ?
print(m:lock(0)) --> true
m:unlock()

-- If the function unlocks by itself, with says so; but the function's own error comes first.
print(pcall(function() m:with(function() m:unlock() end) end)) --> false @: unlock: mutex …: only the owner may unlock
print(pcall(function() m:with(function() m:unlock(); error("first", 0) end) end)) --> false first

-- Locks nest, and with works inside a coroutine that another resume finishes.
local n = fiber.mutex()
print(m:with(function() return n:with(function() return "both" end) end)) --> both
local co = coroutine.wrap(function() return m:with(function() coroutine.yield("holding"); return "released" end) end)
print(co(), pcall(m.lock, m)) --> holding false @: lock: mutex "mutex.lua:5 #1": this fiber holds the lock already; unlock it first
print(co(), m:lock(0)) --> released true
m:unlock()

-- Who owns is the fiber, not the coroutine: another fiber cannot finish what one began.
local begun = coroutine.wrap(function() return m:with(coroutine.yield, "begun") end)
print(begun()) --> begun
print(fiber.spawn(begun):join()) --> false …: unlock: mutex "mutex.lua:5 #1": only the owner may unlock
begun = coroutine.wrap(function() m:unlock(); return m:with(function() coroutine.yield(); error("fails elsewhere", 0) end) end)
begun()
print(fiber.spawn(begun):join()) --> false fails elsewhere
print(pcall(m.lock, m)) --> false …: this fiber holds the lock already; unlock it first
m:unlock()

-- The death of an owner poisons the lock: what it guards may be half done.
local function dead(body)
	local lock = fiber.mutex()
	local t = fiber.spawn(body, lock)
	local waiting = fiber.spawn(function() fiber.sleep(0.25); return lock:lock() end)
	settle()
	t:cancel()
	t:join()
	local ok, e = waiting:join()
	print(ok, e)
	print(pcall(lock.lock, lock))
	print(pcall(lock.with, lock, print))
end
dead(function(lock) lock:lock(); fiber.sleep(100) end)
--> false mutex.lua:…: lock: mutex "…": the lock is poisoned: its owner died while it held it
--> false mutex.lua:…: lock: mutex "…": the lock is poisoned: its owner died while it held it
--> false mutex.lua:…: lock: mutex "…": the lock is poisoned: its owner died while it held it
dead(function(lock) lock:with(function() while true do pcall(fiber.sleep, 1) end end) end)
--> false …: the lock is poisoned: its owner died while it held it
--> false …: the lock is poisoned: its owner died while it held it
--> false …: the lock is poisoned: its owner died while it held it
dead(function(lock) lock:lock(); fiber.sleep(0.375); error("forgot to unlock") end)
--> false …: the lock is poisoned: its owner died while it held it
--> false …: the lock is poisoned: its owner died while it held it
--> false …: the lock is poisoned: its owner died while it held it

-- A fiber that was only waiting for a lock poisons nothing when it dies.
m:lock()
local w = fiber.spawn(function() m:lock() end)
settle()
w:cancel()
w:join()
m:unlock()
print(m:lock(0)) --> true
print(getmetatable(m), tostring(m)) --> fiber.mutex mutex: mutex.lua:5 #1

-- Who vouches for what it guards may repair a poisoned lock.
local broken = fiber.mutex()
fiber.spawn(function() broken:lock() end):join()
print(broken:repair(), broken:repair(), broken:lock(0)) --> true false true

-- Or a lock goes to the next in line when its owner dies, if it was made so.
local passed = fiber.mutex{ owner_death = "hand_on" }
local first = fiber.spawn(function() passed:lock(); fiber.sleep(1) end)
local second = fiber.spawn(function() local got = passed:lock(); return got, fiber.now() end)
local began = fiber.now()
first:join()
local ok, got, at = second:join()
print(ok, got, at - began) --> true true 1
print(passed:lock(0)) --> true
print(pcall(function() fiber.mutex{ owner_death = "ignore" } end)) --> false @: bad argument #1 to mutex (owner_death: want "poison" or "hand_on", got ignore)
print(pcall(function() fiber.mutex{ fair = true } end)) --> false @: bad argument #1 to mutex (fair: no such option; want one of owner_death)
