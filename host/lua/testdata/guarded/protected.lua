-- A caught error detaches nothing: a function that goes on and its closures share their
-- variables, and a closure of one that failed keeps what it saw last.
local n = 0
local function inc() n = n + 1 end
inc() pcall(error, "x") inc() print("pcall", n)
inc() xpcall(error, print) inc() print("xpcall", n)
inc() pcall(function() error({}) end) inc() print("an object", n)
inc() pcall(function() local x = nil; return x.y end) inc() print("a runtime error", n)
inc() coroutine.resume(coroutine.create(function() inc() error("x") end)) inc() print("resume", n)
inc() pcall(coroutine.wrap(function() inc() error("x") end)) inc() print("wrap", n)
inc() pcall(pcall) inc() pcall(pcall, error) inc() print("nested", n)
inc() pcall(table.sort, {3, 2, 1}, function() inc() error("x") end) inc() print("sort", n)
inc() pcall(string.gsub, "ab", ".", function() inc() error("x") end) inc() print("gsub", n)
local meta = setmetatable({}, {__index = function(_, k) inc() pcall(error) inc() error(k) end})
inc() pcall(function() return meta.x end) inc() print("__index", n)
inc() print(xpcall(function() inc() error("x", 0) end, function(m) inc() pcall(error) inc() return m .. n end)) print("a handler", n)
inc() print(xpcall(error, function() error("y") end)) inc() print("a failing handler", n)
inc() for _ in function() pcall(error) inc() return n < 60 or nil end do inc() end print("an iterator", n)

local function down(d) local mine = d; local function get() return mine end
  mine = mine + 1
  if d > 0 then local ok, e = pcall(down, d - 1); mine = mine + 1; if d % 2 == 0 then error(get, 0) end return e end
  error(get, 0)
end
local ok, get = pcall(down, 5) print("levels", ok, get())

local kept = {}
for i = 1, 3 do
  pcall(function() local a = i; kept[#kept + 1] = function() a = a + 1 return a end; a = a * 10; error("x") end)
  xpcall(function() local b = i; kept[#kept + 1] = function() b = b + 1 return b end; b = b * 100; error("x") end, function() local c = i; kept[#kept + 1] = function() c = c + 1 return c end end)
end
local function fill(...) local a, b, c, d, e = ...; return e, d, c, b, a end fill(1, 2, 3, 4, 5)
for i = 1, #kept do io.write(kept[i](), " ", kept[i](), "; ") end print()

local function pair() local v = 0; return function() v = v + 1 return v end, function() pcall(error) return v end end
local up, see = pair() up() print("two closures", see(), up(), see())
local co = coroutine.wrap(function() local v = 0; local function up() v = v + 1 end
  while true do up() pcall(function() up() coroutine.yield(v) up() error("x") end) up() end end)
print("yields", co(), co(), co())
do local t = {} for i = 1, 3 do local v = i; t[i] = function() v = v + 1 return v end; if not pcall(error) then v = v * 10 end end print("a loop", t[1](), t[2](), t[3](), t[1]()) end
