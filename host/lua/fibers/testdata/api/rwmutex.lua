-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- Readers share the lock, a writer has it alone.
local m = fiber.rwmutex()
print(m:rlock(), select("#", m:runlock()), m:lock(), select("#", m:unlock())) --> true 0 true 0
local log = {}
local function note(s) table.insert(log, s) end
local function reader(name) return fiber.spawn(function() m:rlock(); note("+" .. name); fiber.sleep(2); note("-" .. name); m:runlock() end) end
local function writer(name) return fiber.spawn(function() m:lock(); note("<" .. name); fiber.sleep(2); note(name .. ">"); m:unlock() end) end

-- A writer that waits holds back the readers that come later; they are then let in together.
local all = {}
for _, start in ipairs{{reader, "a"}, {reader, "b"}, {writer, "W"}, {reader, "c"}, {reader, "d"}} do
	table.insert(all, start[1](start[2]))
	fiber.sleep(0.25)
end
print(m:try_rlock(), m:rlock(0), m:try_lock(), m:lock(0)) --> false nil false nil timeout
for _, t in ipairs(all) do t:join() end
print(table.concat(log, " ")) --> +a +b -a -b <W W> +c +d -c -d

-- Waits may have a limit; a writer that gave up lets the readers behind it in.
m:rlock()
local w = fiber.spawn(function() return m:lock(1) end)
settle()
local r = fiber.spawn(function() m:rlock(); local at = fiber.now(); m:runlock(); return at end)
local before = fiber.now()
print(w:join()) --> true nil timeout
local ok, at = r:join()
print(ok, at - before) --> true 0.5
m:runlock()
m:lock()
print(fiber.spawn(function() return m:rlock(1) end):join()) --> true nil timeout
m:unlock()

-- with and rwith lock, call, unlock, and give what the function gives.
print(m:rwith(function(...) return select("#", ...), ... end, nil, 2)) --> 2 nil 2
print(m:with(function() return fiber.spawn(function() return m:try_rlock() end):join() end)) --> true false
print(m:rwith(function() return fiber.spawn(function() local got = m:try_rlock(); m:runlock(); return got end):join() end)) --> true true
print(pcall(m.with, m, error, "inside")) --> false @: inside
print(pcall(m.rwith, m, function() error("inside", 0) end)) --> false inside
print(m:lock(0)) --> true

-- Mistakes are errors where they were made.
print(pcall(function() m:lock() end)) --> false @: lock: rwmutex "rwmutex.lua:5 #1": this fiber holds the lock already; unlock it first
print(pcall(function() m:rlock(1) end)) --> false @: read lock: rwmutex "rwmutex.lua:5 #1": this fiber holds the lock already; unlock it first
print(pcall(function() m:runlock() end)) --> false @: read unlock: rwmutex "rwmutex.lua:5 #1": only the owner may unlock
print(fiber.spawn(function() m:unlock() end):join()) --> false @: unlock: rwmutex "rwmutex.lua:5 #1": only the owner may unlock
m:unlock()
m:rlock()
print(pcall(function() m:unlock() end)) --> false @: unlock: rwmutex "rwmutex.lua:5 #1": only the owner may unlock
print(pcall(function() m:with(print) end)) --> false @: lock: rwmutex "rwmutex.lua:5 #1": this fiber holds the lock already; unlock it first
m:runlock()
print(pcall(function() m.rlock(fiber.mutex()) end)) --> false @: bad argument #1 to rlock (rwmutex expected, got fiber.mutex; call it as m:method())
print(getmetatable(m), m) --> fiber.rwmutex rwmutex: rwmutex.lua:5 #1

-- A reader that dies has changed nothing; a writer that dies poisons the lock.
local function dead(body)
	local t = fiber.spawn(body)
	settle()
	t:cancel()
	t:join()
	return pcall(m.lock, m, 0)
end
print(dead(function() m:rlock(); fiber.sleep(100) end)) --> true true
m:unlock()
print(dead(function() m:rwith(fiber.sleep, 100) end)) --> true true
m:unlock()
print(dead(function() m:rlock(); error("forgot") end)) --> true true
local waiting = fiber.spawn(function() m:lock() end)
settle()
waiting:cancel()
print(waiting:join()) --> false cancelled: cancelled
m:unlock()
print(dead(function() m:with(fiber.sleep, 100) end)) --> false …: lock: rwmutex "rwmutex.lua:5 #1": the lock is poisoned: its owner died while it held it
print(pcall(function() m:rlock() end)) --> false @: read lock: rwmutex "rwmutex.lua:5 #1": the lock is poisoned: its owner died while it held it

-- The policy of an owner's death and the repair are those of a mutex.
local passed = fiber.rwmutex{ owner_death = "hand_on" }
fiber.spawn(function() passed:lock() end):join()
print(passed:rlock(0)) --> true
local broken = fiber.rwmutex()
fiber.spawn(function() broken:lock() end):join()
print(broken:repair(), broken:lock(0)) --> true true
