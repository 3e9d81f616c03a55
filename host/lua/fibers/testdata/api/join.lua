-- Half a second of virtual time: everybody else has gone as far as he can.
local function settle() fiber.sleep(0.5) end

-- A failed task gives its error value, whatever that is; tables keep their identity.
local object = setmetatable({}, {__tostring = function() return "object" end})
local values = {"text", 42, true, false, object, print, coroutine.create(print), fiber.chan(), fiber.self()}
for _, v in ipairs(values) do
	local ok, e = fiber.spawn(error, v, 0):join()
	assert(ok == false and e == v and rawequal(e, v), tostring(v))
end
print(fiber.spawn(error, nil):join()) --> false nil
print(fiber.spawn(function() error(nil) end):join()) --> false nil
print(select("#", fiber.spawn(function() error(nil) end):join())) --> 2
print(fiber.spawn(function() error("here") end):join()) --> false @: here
print(fiber.spawn(function() error("bare", 0) end):join()) --> false bare
print(fiber.spawn(function() local x; return x.y end):join()) --> false @: attempt to index a non-table object(nil) with key 'y'
print(fiber.spawn(function() return 1 + {} end):join()) --> false @: cannot perform add operation between number and table
print(fiber.spawn(function() local function f() return 1 + f() end return f() end):join()) --> false @: stack overflow
print(fiber.spawn(function() coroutine.wrap(function() error("deep") end)() end):join()) --> false @: deep
print(fiber.spawn(function() return pcall(error, object) end):join()) --> true false object

-- A task can be joined by many and often, before its end and after; all read the same.
local t = fiber.spawn(function() fiber.sleep(1); error(object) end)
local seen = {}
for i = 1, 3 do fiber.spawn(function() local ok, e = t:join(); assert(not ok and e == object); table.insert(seen, i) end) end
print(t:join(), fiber.now()) --> false 1
settle()
print(#seen, select(2, t:join()) == object, select(2, t:join(0)) == object) --> 3 true true

-- A join may give up; the task goes on.
local slow = fiber.spawn(function() fiber.sleep(10); return "done" end)
print(slow:join(0)) --> nil timeout
print(slow:join(1)) --> nil timeout
print(slow:status(), fiber.now()) --> blocked 2.5
print(slow:join(100)) --> true done
print(fiber.now(), slow:join(0)) --> 11.5 true done

-- Who would wake at the instant of the deadline has not ended then.
local tie = fiber.spawn(function() fiber.sleep(5); return "later" end)
settle()
print(tie:join(4.5)) --> nil timeout
print(tie:join()) --> true later

-- One cannot wait for oneself.
print(pcall(function() fiber.self():join() end)) --> false @: join: the end of …: a fiber cannot wait for its own end
local me
me = fiber.spawn(function() fiber.yield() return pcall(me.join, me) end)
print(me:join()) --> true false …: a fiber cannot wait for its own end

-- Joining inside a coroutine blocks the fiber, not only the coroutine.
local co = coroutine.wrap(function() local ok, v = fiber.spawn(function() fiber.sleep(1); return "v" end):join(); coroutine.yield(v); return "end" end)
print(co(), co()) --> v end

-- The dead cannot be cancelled any more, and nobody minds.
local gone = fiber.spawn(function() return "kept" end)
gone:join()
gone:cancel("too late")
print(gone:join()) --> true kept

-- Many results, and as many as a Lua stack cannot hold.
local many = fiber.spawn(function() return unpack({}, 1, 1000) end)
print(select("#", many:join())) --> 1001
local parts = {}
for i = 1, 4 do parts[i] = fiber.spawn(function() return unpack({}, 1, 2000) end) end
print(pcall(function() return select("#", parts[1]:join(), parts[2]:join()) end)) --> true 2002
print((pcall(function() local function deep(n) if n == 0 then return select("#", many:join()) end return (deep(n - 1)) end return deep(150) end))) --> true
