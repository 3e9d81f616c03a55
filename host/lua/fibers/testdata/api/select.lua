-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

local a, b, c = fiber.chan(), fiber.chan(1), fiber.chan(1)

-- One case is ready: index, value, ok.
b:send("v")
print(fiber.select{{a, "recv"}, {b, "recv"}}) --> 2 v true
print(fiber.select{{a, "recv"}, {b, "send", "w"}}) --> 2 nil true
print(b:recv()) --> w true
for _, v in ipairs{false, 0, "", print} do b:send(v); local i, got, ok = fiber.select{{b, "recv"}}; assert(i == 1 and got == v and ok == true) end
b:send(nil)
print(fiber.select{{b, "recv"}}) --> 1 nil true
print(fiber.select{{b, "send", nil}}, b:recv()) --> 1 nil true
print(fiber.select{{b, "send"}}, b:recv()) --> 1 nil true

-- None is: it waits for the first, and the others are as if they had never been there.
local t = fiber.spawn(function() return fiber.select{{a, "recv"}, {b, "recv"}, {c, "recv"}} end)
settle()
c:send("third")
print(t:join()) --> true 3 third true
print(a:try_send(1), b:try_send(2), #b, b:recv()) --> false true 1 2 true
local s = fiber.spawn(function() return fiber.select{{a, "send", "x"}, {b, "recv"}} end)
settle()
print(a:recv()) --> x true
print(s:join()) --> true 1 nil true

-- default, and a time limit, which may be none at all.
local t0 = fiber.now()
print(fiber.select{{a, "recv"}, default = true}) --> default
print(fiber.select{{a, "recv"}, {a, "send", 1}, default = 0}) --> default
print(fiber.select{default = true}) --> default
print(fiber.select{{a, "recv"}, default = true, timeout = 5}, fiber.now() - t0) --> default 0
print(fiber.select{{a, "recv"}, timeout = 0}, fiber.now() - t0) --> timeout 0
print(fiber.select{{a, "recv"}, timeout = 1.5}, fiber.now() - t0) --> timeout 1.5
print(fiber.select{timeout = 1}, fiber.now() - t0) --> timeout 2.5
print(fiber.select{{a, "recv"}, default = false, timeout = 0.5}, fiber.now() - t0) --> timeout 3
c:send("there")
print(fiber.select{{a, "recv"}, {c, "recv"}, default = true}) --> 2 there true
c:send("there")
print(fiber.select{{a, "recv"}, {c, "recv"}, timeout = 0}) --> 2 there true

-- A closed channel is always ready to receive from; sending to it is an error.
local closed = fiber.chan()
closed:close()
print(fiber.select{{a, "recv"}, {closed, "recv"}}) --> 2 nil false
print(fiber.select{{closed, "recv"}, default = true}) --> 1 nil false
print(pcall(function() fiber.select{{closed, "send", 1}} end)) --> false @: send: chan "select.lua:… #4": the channel is closed
print(pcall(function() fiber.select{{closed, "send", 1}, default = true} end)) --> false @: send: chan …: the channel is closed
local closing = fiber.chan()
local waiting = {
	fiber.spawn(function() return fiber.select{{a, "recv"}, {closing, "recv"}} end),
	fiber.spawn(function() return fiber.select{{closing, "recv"}, {closing, "recv"}} end),
}
settle()
closing:close()
print(waiting[1]:join()) --> true 2 nil false
print(waiting[2]:join()) --> true … nil false
local out = fiber.chan()
local sender = fiber.spawn(function() return fiber.select{{a, "recv"}, {out, "send", 1}} end)
settle()
out:close()
print(sender:join()) --> false select.lua:…: send: chan "select.lua:… #6": the channel is closed

-- The same channel twice: one case wins, one value goes.
local same = fiber.spawn(function() return fiber.select{{a, "recv"}, {a, "recv"}, {a, "recv"}} end)
settle()
a:send("once")
print(same:join()) --> true … once true
print(a:try_send("twice")) --> false
-- Both ends of one channel in one select do not meet each other.
local both = fiber.spawn(function() return fiber.select{{a, "recv"}, {a, "send", "mine"}} end)
settle()
print(both:status(), a:recv()) --> blocked mine true
print(both:join()) --> true 2 nil true
-- Two selects do.
local left = fiber.spawn(function() return fiber.select{{a, "recv"}, {b, "recv"}} end)
local right = fiber.spawn(function() return fiber.select{{a, "send", "met"}, {b, "recv"}} end)
print(left:join()) --> true 1 met true
print(right:join()) --> true 1 nil true

-- A select inside an operand of another: operands are evaluated first.
c:send("inner")
print(fiber.select{{b, "send", (select(2, fiber.select{{a, "recv"}, {c, "recv"}}))}}) --> 1 nil true
print(b:recv()) --> inner true
local outer = fiber.spawn(function()
	return fiber.select{{b, "send", (select(2, fiber.select{{a, "recv"}}))}, {c, "recv", (fiber.select{timeout = 1})}}
end)
settle()
a:send("nested")
print(outer:join()) --> true 1 nil true
print(b:recv()) --> nested true
-- And a select in a function that another select's value comes from, blocking again there.
print(fiber.select{{b, "send", (function() fiber.sleep(1); return (fiber.select{timeout = 1}) end)()}}, b:recv()) --> 1 timeout true

-- Among several that are ready the choice is fair.
local counts = {0, 0, 0}
local x, y, z = fiber.chan(1), fiber.chan(1), fiber.chan(1)
for i = 1, 300 do
	x:try_send(1); y:try_send(1); z:try_send(1)
	local i = fiber.select{{x, "recv"}, {y, "recv"}, {z, "recv"}}
	counts[i] = counts[i] + 1
end
print(counts[1] > 60 and counts[2] > 60 and counts[3] > 60) --> true

-- Many cases, and a select in a loop over a list that changes.
local many, list = {}, {}
for i = 1, 50 do many[i] = fiber.chan(1); list[i] = {many[i], "recv"} end
many[37]:send("late")
print(fiber.select(list)) --> 37 late true
for i = 1, 50 do many[i]:send(i) end
local sum = 0
while #list > 0 do local i, v = fiber.select(list); sum = sum + v; table.remove(list, i) end
print(sum) --> 1275

-- A task that ends is a case like others: its first result and true, or its error and false.
local quick = fiber.spawn(function() fiber.sleep(1); return "done", "and more" end)
local fails = fiber.spawn(function() fiber.sleep(2); error("broke", 0) end)
local slow = fiber.spawn(function() fiber.sleep(9) end)
print(fiber.select{{slow, "join"}, {fails, "join"}, {quick, "join"}}) --> 3 done true
print(quick:join()) --> true done and more
print(fiber.select{{slow, "join"}, {fails, "join"}}) --> 2 broke false
print(fiber.select{{fails, "join"}}, fiber.select{{quick, "join"}}) --> 1 1 done true
print(fiber.select{{slow, "join"}, timeout = 1}) --> timeout
print(fiber.select{{slow, "join"}, default = true}) --> default
print(fiber.select{{slow, "join"}}) --> 1 nil true
print(pcall(function() fiber.select{{fiber.self(), "join"}} end)) --> false @: join: …: a fiber cannot wait for its own end
print(pcall(function() fiber.select{{quick, "recv"}} end)) --> false @: bad argument #1 to select (case 1: want "join", got recv)

-- false in place of what is not to be waited for turns a case off; the others keep their places.
local on = fiber.chan(1)
on:send("here")
print(fiber.select{{false, "recv"}, {on, "recv"}, {false, "send", 1}, {false, "wait"}, {false, "join"}}) --> 2 here true
print(fiber.select{{false, "recv"}, default = true}) --> default
print(fiber.select{{false, "recv"}, timeout = 1}) --> timeout
print(pcall(function() fiber.select{{false, "receive"}} end)) --> false @: bad argument #1 to select (case 1: want "recv", "send", "wait" or "join", got receive)
print(pcall(function() fiber.select{{nil, "recv"}} end)) --> false @: bad argument #1 to select (case 1: chan, timer, task, port or sender expected, got nil)

-- What is neither a case nor an option is a slip, and is not waited without.
print(pcall(function() fiber.select{{on, "recv"}, timeuot = 1} end)) --> false @: bad argument #1 to select (timeuot: no such option; want one of default, timeout)
print(pcall(function() fiber.select{timeout = 1, [on] = "recv"} end)) --> false @: bad argument #1 to select (a fiber.chan: no such option; want one of default, timeout)
