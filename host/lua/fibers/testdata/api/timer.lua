-- A timer fires once, for everybody who waits and for whoever comes later.
local t = fiber.timer(2)
local a, b = fiber.spawn(function() return t:wait(), fiber.now() end), fiber.spawn(function() return t:wait(5), fiber.now() end)
print(t:wait(1)) --> nil timeout
print(a:join()) --> true true 2
print(b:join()) --> true true 2
print(t:wait(), t:wait(0), fiber.now()) --> true true 2

-- stop and reset tell whether they came before it fired.
print(t:stop(), t:reset(1), t:reset(3), t:stop(), t:stop()) --> false false true true false
print(t:wait(10), fiber.now()) --> nil 12
print(t:reset(1), t:wait(), fiber.now()) --> false true 13
print(t:reset(0), t:wait(), fiber.now()) --> false true 13

-- Those who wait go on waiting when it is set anew.
t:reset(1)
local waits = fiber.spawn(function() t:wait() return fiber.now() end)
fiber.sleep(0.5)
print(t:reset(4)) --> true
print(waits:join()) --> true 17.5

-- It is a case of a select, again and again once it has fired.
local ch, idle = fiber.chan(), fiber.timer(1)
fiber.spawn(function() for i = 1, 3 do fiber.sleep(0.9); ch:send(i) end end)
repeat
	local case, v, ok = fiber.select{{ch, "recv"}, {idle, "wait"}}
	print(case, v, ok, case == 1 and idle:reset(1))
until case == 2
--> 1 1 true true
--> 1 2 true true
--> 1 3 true true
--> 2 nil true false
print(fiber.select{{idle, "wait"}, default = true}) --> 1 nil true
print(fiber.select{{fiber.timer(1), "wait"}, default = true}) --> default
print(fiber.select{{fiber.timer(2), "wait"}, {fiber.timer(1), "wait"}}) --> 2 nil true

-- Periods without drift: the next instant follows from the last, not from now.
local start, n = fiber.now(), 0
local tick = fiber.timer(1)
while n < 3 do
	tick:wait()
	n = n + 1
	fiber.sleep(0.25) -- what a tick has to do
	tick:reset(start + n + 1 - fiber.now())
end
print(fiber.now() - start) --> 3.25

-- Mistakes are errors where they were made.
print(pcall(function() fiber.timer() end)) --> false @: bad argument #1 to timer (number expected, got nil)
print(pcall(function() fiber.timer(-1) end)) --> false @: bad argument #1 to timer (bad duration: -1 s is negative; want 0 or more, up to about 292 years)
print(pcall(function() t:reset(0/0) end)) --> false @: bad argument #2 to reset (bad duration: NaN s is not a number; want 0 or more, up to about 292 years)
print(pcall(function() t.stop() end)) --> false @: bad argument #1 to stop (timer expected, got nil; call it as t:method())
print(pcall(function() fiber.select{{t, "recv"}} end)) --> false @: bad argument #1 to select (case 1: want "wait", got recv)
print(tostring(t)) --> timer: timer.lua:2 #1
