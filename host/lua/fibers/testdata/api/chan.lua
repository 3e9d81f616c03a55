-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- An unbuffered channel is a meeting: the sender waits for the receiver.
local ch = fiber.chan()
local log = {}
fiber.spawn(function() for i = 1, 3 do table.insert(log, "s" .. i); ch:send(i) end; ch:close() end)
settle()
for v in ch:iter() do settle(); table.insert(log, "r" .. v) end
print(table.concat(log, " ")) --> s1 s2 r1 s3 r2 r3
print(#ch, ch:cap(), ch:recv()) --> 0 0 nil false

-- A buffered one holds up to its capacity, in order; # and cap say how much.
local b = fiber.chan(3)
print(b:send("a"), b:send(nil), b:send(false), #b, b:cap()) --> true true true 3 3
print(b:try_send("x"), b:send("x", 0)) --> false nil timeout
print(b:recv()) --> a true
print(b:recv()) --> nil true
print(b:recv()) --> false true
print(b:try_recv()) --> nil empty
print(b:recv(0)) --> nil timeout
local before = fiber.now()
print(b:recv(2.5)) --> nil timeout
print(fiber.now() - before) --> 2.5

-- Tables arrive as they are, without a copy; channels and tasks too.
local tab = {}
b:send(tab); b:send(b); b:send(fiber.self())
print(b:recv() == tab, b:recv() == b, b:recv() == fiber.self()) --> true true true

-- nil is a value: recv tells it from the end by its second result, iter cannot.
b:send(1); b:send(nil); b:send(3)
for v in b:iter() do print("iter", v) end --> iter 1
print(b:recv()) --> 3 true
b:send(false)
b:close()
for v, ok in b:iter() do print("iter", v, ok) end --> iter false true

-- Closing: what is buffered can be received, then comes the end, again and again.
local c = fiber.chan(2)
c:send(1); c:send(2)
c:close()
print(c:recv(), c:try_recv()) --> 1 2 true
print(c:recv()) --> nil false
print(c:try_recv()) --> nil false
print(c:recv(1)) --> nil false
print(pcall(function() c:send(1) end)) --> false @: send: chan "chan.lua:… #3": the channel is closed
print(pcall(function() c:send(1, 0) end)) --> false @: send: chan "chan.lua:… #3": the channel is closed
print(pcall(function() c:try_send(1) end)) --> false @: send: chan "chan.lua:… #3": the channel is closed
print(pcall(function() c:close() end)) --> false @: close: chan "chan.lua:… #3": the channel is closed
print(#c, c:cap()) --> 0 2

-- A close wakes everybody who waits: receivers with the end, senders with an error.
local w = fiber.chan()
local receivers, senders = {}, {}
for i = 1, 3 do receivers[i] = fiber.spawn(function() return w:recv() end) end
settle()
w:close()
for _, t in ipairs(receivers) do assert(select("#", t:join()) == 3); local ok, v, more = t:join(); assert(ok and v == nil and more == false) end
w = fiber.chan()
for i = 1, 3 do senders[i] = fiber.spawn(function() w:send(i) end) end
settle()
w:close()
for _, t in ipairs(senders) do print(t:join()) end
--> false chan.lua:…: send: chan "chan.lua:… #5": the channel is closed
--> false chan.lua:…: send: chan "chan.lua:… #5": the channel is closed
--> false chan.lua:…: send: chan "chan.lua:… #5": the channel is closed
print(w:recv()) --> nil false

-- Peers meet in the order in which they came, and nobody overtakes.
local q = fiber.chan()
local got = {}
for i = 1, 4 do fiber.spawn(function() local v = q:recv(); table.insert(got, i .. "=" .. v) end); settle() end
for i = 1, 4 do q:send(i * 10) end
settle()
print(table.concat(got, " ")) --> 1=10 2=20 3=30 4=40
for i = 1, 4 do fiber.spawn(function() q:send(i) end); settle() end
print(q:recv(), q:recv(), (q:try_recv()), q:recv()) --> 1 2 3 4 true

-- Who gave up is not served.
local early = fiber.spawn(function() return q:recv(1) end)
local late = fiber.spawn(function() return q:recv(10) end)
fiber.sleep(5)
print(q:try_send("v"), q:try_send("w")) --> true false
print(early:join()) --> true nil timeout
print(late:join()) --> true v true
local tired = fiber.spawn(function() return q:send("tired", 1) end)
fiber.sleep(2)
print(tired:join()) --> true nil timeout
print(q:try_recv()) --> nil empty

-- A sender that waits moves up into the buffer; order holds across both.
local p = fiber.chan(1)
for i = 1, 3 do fiber.spawn(function() p:send(i) end); settle() end
print(#p, p:recv(), p:recv(), p:recv()) --> 1 1 2 3 true

-- Functions of a channel are values like others.
local send, recv = p.send, p.recv
send(p, "plain call")
print(recv(p)) --> plain call true
print(getmetatable(p), tostring(p), p.nothing) --> fiber.chan chan: chan.lua:… #7 nil

-- A call as the last argument passes all its results: recv's second is no timeout.
p:send("first")
print(pcall(function() b.send(q, p:recv()) end)) --> false @: bad argument #3 to send (timeout: number of seconds expected, got the second result of a call like inp:recv(); wrap the call to send its first result only: out:send((inp:recv())))
