-- Every error names the line of the call, whether pcall, a coroutine, a metamethod or an
-- iterator made it.
local ch, m = fiber.chan(), fiber.mutex()
print(pcall(ch.recv, 1)) --> false @: bad argument #1 to (anonymous) (chan expected, got number; call it as ch:method())
print(pcall(function() ch.recv() end)) --> false @: bad argument #1 to recv (chan expected, got nil; call it as ch:method())
print(pcall(function() ch.recv(m) end)) --> false @: bad argument #1 to recv (chan expected, got fiber.mutex; call it as ch:method())
print(pcall(function() fiber.sleep(-1) end)) --> false @: bad argument #1 to sleep (bad duration: -1 s is negative; want 0 or more, up to about 292 years)
print(pcall(function() fiber.sleep(0/0) end)) --> false @: bad argument #1 to sleep (bad duration: NaN s is not a number; …)
print(pcall(function() fiber.sleep(1/0) end)) --> false @: bad argument #1 to sleep (bad duration: +Inf s is infinite; …)
print(pcall(function() fiber.sleep(1e10) end)) --> false @: bad argument #1 to sleep (bad duration: 1e+10 s is too long; …)
print(pcall(function() fiber.sleep("soon") end)) --> false @: bad argument #1 to sleep (number expected, got string)
print(pcall(function() ch:recv(-0.5) end)) --> false @: bad argument #2 to recv (bad duration: -0.5 s is negative; …)
print(pcall(function() ch:recv({}) end)) --> false @: bad argument #2 to recv (timeout: number of seconds expected, got table)
print(pcall(function() ch:send(1, "soon") end)) --> false @: bad argument #3 to send (timeout: number of seconds expected, got string)
print(pcall(function() fiber.self():join(false) end)) --> false @: bad argument #2 to join (timeout: number of seconds expected, got boolean)
print(pcall(function() fiber.spawn() end)) --> false @: bad argument #1 to spawn (function expected, got nil)
print(pcall(function() fiber.spawn({}) end)) --> false @: bad argument #1 to spawn (function expected, got table)
print(pcall(function() fiber.chan(-1) end)) --> false @: bad argument #1 to chan (capacity -1: want a whole number from 0 to 1073741824)
print(pcall(function() fiber.chan(2.5) end)) --> false @: bad argument #1 to chan (capacity 2.5: …)
print(pcall(function() fiber.chan(2^40) end)) --> false @: bad argument #1 to chan (capacity 1.099511627776e+12: …)
print(pcall(function() fiber.select() end)) --> false @: bad argument #1 to select (table expected, got nil)
print(pcall(function() fiber.select{ch} end)) --> false @: bad argument #1 to select (case 1: want {ch, "recv"}, {ch, "send", value}, {timer, "wait"} or {task, "join"}, got fiber.chan)
print(pcall(function() fiber.select{{ch, "recv"}, {m, "recv"}} end)) --> false @: bad argument #1 to select (case 2: chan, timer, task, port or sender expected, got fiber.mutex)
print(pcall(function() fiber.select{{ch, "receive"}} end)) --> false @: bad argument #1 to select (case 1: want "recv" or "send", got receive)
print(pcall(function() fiber.select{{ch, "recv"}, timeout = "1"} end)) --> false @: bad argument #1 to select (timeout: number of seconds expected, got string)
print(pcall(function() fiber.select{timeout = -1} end)) --> false @: bad argument #1 to select (bad duration: -1 s is negative; …)
print(pcall(function() fiber.self():cancel({}) end)) --> false @: bad argument #2 to cancel (string expected, got table)
print(pcall(function() fiber.self():name({}) end)) --> false @: bad argument #2 to name (string expected, got table)
print(pcall(function() m:with() end)) --> false @: bad argument #2 to with (function expected, got nil)
print(m:lock(0)) --> true
m:unlock()

local function close() ch:close(); ch:close() end -- the second one fails
local bad = setmetatable({}, {
	__index = function() m:unlock() end, __newindex = function() m:unlock() end, __call = function() m:unlock() end,
	__add = function() m:unlock() end, __concat = function() m:unlock() end, __tostring = function() m:unlock() end,
})
print(pcall(close)) --> false errors.lua:33: close: chan "errors.lua:3 #1": the channel is closed
print(pcall(function() return bad.x end)) --> false errors.lua:35: unlock: mutex "errors.lua:3 #2": only the owner may unlock
print(pcall(function() bad.x = 1 end)) --> false errors.lua:35: unlock: …
print(pcall(function() return bad() end)) --> false errors.lua:35: unlock: …
print(pcall(function() return bad + 1 end)) --> false errors.lua:36: unlock: …
print(pcall(function() return bad .. "" end)) --> false errors.lua:36: unlock: …
print(pcall(tostring, bad)) --> false errors.lua:36: unlock: …
print(pcall(table.sort, {1, 2}, function() m:unlock() end)) --> false @: unlock: …
print(pcall(string.gsub, "x", "x", function() m:unlock() end)) --> false @: unlock: …
print(pcall(function() for _ in m.unlock, m do end end)) --> false @: unlock: …
print(pcall(coroutine.wrap(function() m:unlock() end))) --> false @: unlock: …
print(coroutine.resume(coroutine.create(function() m:unlock() end))) --> false @: unlock: …
print(pcall(loadstring("\n\nfiber.mutex():unlock()", "loaded"))) --> false loaded:3: unlock: mutex "loaded:3 #3": only the owner may unlock
print(xpcall(function() m:unlock() end, function(e) return "handled " .. e end)) --> false handled @: unlock: …
print(select(2, fiber.spawn(function() m:unlock() end):join())) --> @: unlock: …
local ok, trace = xpcall(function() local function culprit() fiber.sleep(-1) end culprit() end, debug.traceback)
for line in trace:gmatch("[^\n]+") do print(line) end
--> errors.lua:53: bad argument #1 to sleep …
--> stack traceback:
-->  [G]: in function 'sleep'
-->  errors.lua:53: in function 'culprit'
-->  errors.lua:53: in function <errors.lua:53>
-->  [G]: in function 'xpcall'
-->  errors.lua:53: in main chunk
-->  [G]: ?

-- Objects cannot be taken apart.
print(pcall(setmetatable, ch, {})) --> …cannot change a protected metatable
print(pcall(function() ch.recv = 1 end)) --> false @: attempt to index a non-table object(userdata) with key 'recv'
print(pcall(function() fiber.self().id = 1 end)) --> false @: attempt to index a non-table object(userdata) with key 'id'
print(pcall(function() ch:nothing() end)) --> false @: attempt to call a non-function object
