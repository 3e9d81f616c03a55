-- Every operation that blocks, in every place where Lua code can be called from, and in
-- every such place inside every other.
local feed, sink, never, lock = fiber.chan(), fiber.chan(), fiber.chan(), fiber.mutex()
fiber.spawn(function() while true do fiber.sleep(0.001); feed:send("v") end end)
fiber.spawn(function() while true do fiber.sleep(0.001); sink:recv() end end)
fiber.spawn(function() while true do lock:lock(); fiber.sleep(0.001); lock:unlock() end end)

local operations = {
	sleep = function() fiber.sleep(0.001); return "v" end,
	recv = function() return (feed:recv()) end,
	send = function() return sink:send("v") and "v" end,
	lock = function() lock:lock(); lock:unlock(); return "v" end,
	with = function() return lock:with(function() fiber.yield(); return "v" end) end,
	join = function() return select(2, fiber.spawn(function() fiber.sleep(0.001); return "v" end):join()) end,
	select = function() return (select(2, fiber.select{{never, "recv"}, {feed, "recv"}})) end,
	timeout = function() return select(2, never:recv(0.001)) == "timeout" and "v" end,
	yield = function() fiber.yield(); return "v" end,
	iter = function() for v in feed:iter() do return v end end,
}

-- op's value, by way of a metamethod that may return anything. What is shared with a
-- closure is in a table: gopher-lua separates the two ends of a shared local when a pcall
-- further up catches an error.
local function by(event, use)
	return function(op)
		local got, mt = {}, {}
		mt[event] = function() got.v = op(); return got.v end
		use(setmetatable({}, mt), setmetatable({}, mt))
		return got.v
	end
end

local modules = {}
local places = {
	pcall = function(op) return select(2, pcall(op)) end,
	pcalls = function(op) return select(5, pcall(pcall, pcall, pcall, op)) end,
	xpcall = function(op) return select(2, xpcall(op, print)) end,
	handler = function(op) return select(2, xpcall(error, function() return op() end)) end,
	thrown = function(op) return select(2, pcall(function() error({op()}) end))[1] end,
	index = function(op) return setmetatable({}, {__index = function() return op() end}).x end,
	newindex = by("__newindex", function(t) t.x = 1 end),
	call = function(op) return setmetatable({}, {__call = function() return op() end})() end,
	add = by("__add", function(a, b) return a + b end), sub = by("__sub", function(a, b) return a - b end),
	mul = by("__mul", function(a, b) return a * b end), div = by("__div", function(a, b) return a / b end),
	mod = by("__mod", function(a, b) return a % b end), pow = by("__pow", function(a, b) return a ^ b end),
	unm = by("__unm", function(a) return -a end), len = by("__len", function(a) return #a end),
	concat = by("__concat", function(a, b) return a .. b end), concatn = by("__concat", function(a) return "x" .. 1 .. a end),
	eq = by("__eq", function(a) local mt = getmetatable(a); return setmetatable({}, mt) == setmetatable({}, mt) end),
	lt = by("__lt", function(a) local mt = getmetatable(a); return setmetatable({}, mt) < setmetatable({}, mt) end),
	le = by("__le", function(a) local mt = getmetatable(a); return setmetatable({}, mt) <= setmetatable({}, mt) end),
	tostring = function(op) return tostring(setmetatable({}, {__tostring = function() return op() end})) end,
	iterator = function(op) for v in function(_, before) if not before then return op() end end do return v end end,
	sort = function(op) local got = {}; table.sort({1, 2}, function(a, b) got.v = got.v or op(); return a < b end); return got.v end,
	gsub = function(op) return (("x"):gsub("x", function() return op() end)) end,
	gsubt = function(op) return (("x"):gsub("x", setmetatable({}, {__index = function() return op() end}))) end,
	wrap = function(op) return coroutine.wrap(op)() end,
	resume = function(op) return select(2, coroutine.resume(coroutine.create(op))) end,
	resumed = function(op) local w = coroutine.wrap(function() coroutine.yield(); coroutine.yield(op()) end); w(); return w() end,
	generator = function(op) for v in coroutine.wrap(function() coroutine.yield(op()); coroutine.yield(op()) end) do return v end end,
	require = function(op) local name = "m" .. #modules; table.insert(modules, name); package.preload[name] = function() return op() end; return require(name) end,
	loadstring = function(op) return loadstring("local op = ... return op()")(op) end,
	load = function(op) local done = {}; return load(function() if not done.yet then done.yet = true; return "return '" .. op() .. "'" end end)() end,
	env = function(op) return setfenv(function() return f() end, {f = op})() end,
	fiber = function(op) return select(2, fiber.spawn(op):join()) end,
	mutex = function(op) return fiber.mutex():with(op) end,
	operand = function(op) local c = fiber.chan(1); fiber.select{{c, "send", op()}, {never, "recv"}}; return (c:recv()) end,
	deep = function(op) local function rec(n) if n > 0 then return (rec(n - 1)) end return op() end return rec(40) end,
	tail = function(op) local function rec(n) if n > 0 then return rec(n - 1) end return op() end return rec(300) end,
	assert = function(op) return assert(op()) end,
	unpack = function(op) return unpack({op(), op()}) end,
	argument = function(op) return (string.rep(op(), 1)) end,
}

local function names(t) local list = {}; for k in pairs(t) do table.insert(list, k) end; table.sort(list); return list end
local tried, wrong = {}, {}
local function check(place, inner, name)
	local got = places[place](inner)
	table.insert(tried, name)
	if got ~= "v" then table.insert(wrong, name); print(name, got) end
end
for _, o in ipairs(names(operations)) do
	for _, p in ipairs(names(places)) do check(p, operations[o], o .. " in " .. p) end
end
print(#tried, #wrong) --> 420 0
for _, outer in ipairs(names(places)) do
	for _, p in ipairs(names(places)) do
		local o = names(operations)[#tried % 10 + 1]
		check(outer, function() return places[p](operations[o]) end, o .. " in " .. p .. " in " .. outer)
	end
end
print(#tried, #wrong) --> 2184 0
