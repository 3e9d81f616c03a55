-- What the library's callbacks compute is right although each of them blocks.
local ch = fiber.chan()
fiber.spawn(function() local n = 0; while true do n = n + 1; ch:send(n) end end)

local t = {}
for i = 1, 30 do t[i] = (i * 17) % 31 end
table.sort(t, function(a, b) ch:recv(); if a % 3 == 0 then fiber.sleep(0.001) end return a < b end)
print(table.concat(t, " ")) --> 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
local objects = {}
for i = 1, 10 do objects[i] = setmetatable({(i * 7) % 11}, {__lt = function(a, b) fiber.sleep(0.001); return a[1] < b[1] end}) end
for i = 2, 10 do getmetatable(objects[i]).__lt = getmetatable(objects[1]).__lt end
table.sort(objects)
for i = 1, 10 do assert(objects[i][1] == i) end

print((("a-b-c"):gsub("%a", function(c) fiber.sleep(0.001); return c:upper() end))) --> A-B-C
print((("one two"):gsub("(%w)(%w*)", function(a, b) fiber.yield(); return b .. a end))) --> neo wot
print(("$x $y"):gsub("%$(%w)", setmetatable({}, {__index = function(_, k) fiber.sleep(0.001); return k .. k end}))) --> xx yy 2

-- Two fibers in the same functions at the same time.
local function slow(tag) return (("....."):gsub(".", function() fiber.sleep(0.001); return tag end)) end
local x, y = fiber.spawn(slow, "x"), fiber.spawn(slow, "y")
print(x:join(), y:join()) --> true true yyyyy
local parts = {}
local function sorted(n) local t = {}; for i = 1, n do t[i] = n - i end; table.sort(t, function(a, b) fiber.yield(); return a < b end); return table.concat(t, ",") end
for i = 1, 5 do parts[i] = fiber.spawn(sorted, i + 3) end
for i = 1, 5 do print(parts[i]:join()) end
--> true 0,1,2,3
--> true 0,1,2,3,4
--> true 0,1,2,3,4,5
--> true 0,1,2,3,4,5,6
--> true 0,1,2,3,4,5,6,7

-- print writes whole lines, whatever the __tostring of an argument does meanwhile.
local slowly = setmetatable({}, {__tostring = function() fiber.sleep(1); return "slow" end})
local a = fiber.spawn(print, "a", slowly, "a")
local b = fiber.spawn(function() fiber.sleep(0.5); print("b", "b") end)
a:join()
--> b b
--> a slow a

-- Coroutines: generators fed by channels, in and across fibers.
local function numbers(n) return coroutine.wrap(function() for i = 1, n do fiber.sleep(0.001); coroutine.yield(i) end end) end
local sum = 0
for i in numbers(10) do for j in numbers(i) do sum = sum + j end end
print(sum) --> 220
local co = coroutine.create(function(v) while true do fiber.sleep(0.001); v = coroutine.yield(v + 1) end end)
print(coroutine.resume(co, 1)) --> true 2
print(fiber.spawn(coroutine.resume, co, 10):join()) --> true true 11
print(coroutine.resume(co, 100)) --> true 101
local busy = fiber.spawn(coroutine.resume, co, 1)
while coroutine.status(co) == "suspended" do fiber.yield() end
print(coroutine.status(co), coroutine.resume(co, 1)) --> normal false can not resume a normal thread
print(busy:join()) --> true true 2
local nest = 0
local function nested(n) nest = n; fiber.sleep(0.001); if n < 50 then return coroutine.wrap(nested)(n + 1) end return "bottom" end
print(nested(1), nest) --> bottom 50
print(coroutine.wrap(function() return coroutine.running() ~= nil, pcall(coroutine.yield, "out") end)()) --> out
print(coroutine.running()) --> nil
print(fiber.spawn(function() return coroutine.running(), pcall(coroutine.yield, 1) end):join()) --> true nil false …: can not yield from outside of a coroutine

-- Errors that pass through a place that has blocked keep their value and position.
print(pcall(table.sort, {1, 2}, function() fiber.sleep(0.001); error("cmp") end)) --> false @: cmp
print(pcall(string.gsub, "x", "x", function() fiber.sleep(0.001); error({}) end)) --> false table: …
print(pcall(coroutine.wrap(function() fiber.sleep(0.001); error("co") end))) --> false @: co
print(pcall(function() for _ in function() fiber.sleep(0.001); error("it") end do end end)) --> false @: it
print(pcall(function() return setmetatable({}, {__index = function() fiber.sleep(0.001); error("ix") end}).x end)) --> false @: ix
print(xpcall(function() fiber.sleep(0.001); error("E", 0) end, function(e) fiber.sleep(0.001); return e .. "!" end)) --> false E!
