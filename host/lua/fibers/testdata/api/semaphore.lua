-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- acquire takes one permit, or as many as one asks for; release gives back.
local s = fiber.semaphore(3)
print(s:acquire(), s:acquire(2), s:try_acquire()) --> true true false
print(select("#", s:release(2)), s:try_acquire(2), select("#", s:release(3))) --> 0 true 0

-- No more run at once than there are permits.
local inside, counts, all = {}, {}, {}
for i = 1, 10 do
	all[i] = fiber.spawn(function()
		s:acquire()
		table.insert(inside, i)
		table.insert(counts, #inside)
		if i % 2 == 0 then fiber.yield() else fiber.sleep(0.1) end
		table.remove(inside)
		s:release()
	end)
end
for _, t in ipairs(all) do t:join() end
print(math.max(unpack(counts)), #inside) --> 3 0

-- Who waits longest is next, and a small request does not overtake a large one.
local order = {}
s:acquire(3)
for i, n in ipairs{2, 3, 1} do all[i] = fiber.spawn(function() s:acquire(n); table.insert(order, n); settle(); s:release(n) end); settle() end
print(s:acquire(1, 0), s:acquire(nil, 0.25)) --> nil nil timeout
s:release(3)
for i = 1, 3 do all[i]:join() end
print(table.concat(order, " "), s:try_acquire(3)) --> 2 3 1 true

-- A wait may have a limit; who gave up lets those behind it go on.
local big = fiber.spawn(function() return s:acquire(3, 1) end)
settle()
local small = fiber.spawn(function() s:acquire(); return fiber.now() end)
settle()
s:release()
fiber.sleep(1)
print(big:join()) --> true nil timeout
local ok, at = small:join()
print(ok, at - fiber.now()) --> true -1
s:release(2)

-- What a fiber holds goes back when it ends, however it ends.
local held = fiber.semaphore(4)
local function dies(body)
	local t = fiber.spawn(function() held:acquire(); held:acquire(3); body() end)
	settle()
	t:cancel()
	t:join()
	assert(held:try_acquire(4), "permits are lost")
	held:release(4)
end
dies(function() end)
dies(function() fiber.sleep(100) end)
dies(function() held:release(2); error("oops") end)
dies(function() held:with(print) end)
dies(function() held:release(); held:with(function() while true do pcall(fiber.sleep, 1) end end) end)

-- A fiber that was cancelled while it waited holds nothing.
held:acquire(4)
local w = fiber.spawn(function() held:acquire(2) end)
settle()
w:cancel("enough")
print(w:join()) --> false cancelled: enough
held:release(4)
print(held:try_acquire(4)) --> true
held:release(4)

-- with holds one permit while it calls, and gives what the function gives.
local one = fiber.semaphore(1)
print(one:with(function(...) return one:try_acquire(), select("#", ...), ... end, nil, "x")) --> false 2 nil x
print(pcall(one.with, one, function() error("inside") end)) --> false @: inside
print(pcall(function() one:with(function() one:release() end) end)) --> false @: release: semaphore "semaphore.lua:72 #3": a fiber gives back only permits it holds: gives back 1, holds 0
print(one:try_acquire()) --> true

-- Mistakes are errors where they were made.
print(pcall(function() one:release(2) end)) --> false @: release: semaphore "semaphore.lua:72 #3": a fiber gives back only permits it holds: gives back 2, holds 1
print(fiber.spawn(function() one:release() end):join()) --> false @: release: semaphore "semaphore.lua:72 #3": a fiber gives back only permits it holds: gives back 1, holds 0
print(pcall(function() one:acquire(2) end)) --> false @: acquire: semaphore "semaphore.lua:72 #3": want at least 1 permit and at most all there are: asked for 2 of 1
print(pcall(function() one:acquire(0, 5) end)) --> false @: acquire: semaphore "semaphore.lua:72 #3": want at least 1 permit and at most all there are: asked for 0 of 1
print(pcall(function() one:try_acquire(-1) end)) --> false @: acquire: semaphore "semaphore.lua:72 #3": want at least 1 permit and at most all there are: asked for -1 of 1
print(pcall(function() one:acquire(1.5) end)) --> false @: bad argument #2 to acquire (permits 1.5: want a whole number from 1 to 2147483648)
print(pcall(function() one:acquire(1, true) end)) --> false @: bad argument #3 to acquire (timeout: number of seconds expected, got boolean)
print(pcall(function() fiber.semaphore(0) end)) --> false @: bad argument #1 to semaphore (permits 0: want a whole number from 1 to 2147483648)
print(pcall(function() fiber.semaphore() end)) --> false @: bad argument #1 to semaphore (number expected, got nil)
print(pcall(function() one.acquire(3) end)) --> false @: bad argument #1 to acquire (semaphore expected, got number; call it as s:method())
print(getmetatable(one), one) --> fiber.semaphore semaphore: semaphore.lua:72 #3
