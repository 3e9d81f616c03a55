-- Arguments that no function expects. The programs behind this text use values, count, angry, file
-- and the copies of library functions, which no hostile call changes.
local coroutine = { create = coroutine.create, resume = coroutine.resume, yield = coroutine.yield, wrap = coroutine.wrap }
local pcall, type, tostring, select, report, unpack, pairs, ipairs, assert = pcall, type, tostring, select, report, unpack, pairs, ipairs, assert
local concat, format = table.concat, string.format
local getmetatable, setmetatable = debug.getmetatable, setmetatable
local nan, inf = 0/0, 1/0

local function angry()
  local function raise() error("raised by a metamethod") end
  local events = {}
  for name in ("index newindex call tostring len eq lt le add concat unm"):gmatch("%a+") do
    events["__" .. name] = raise
  end
  return setmetatable({}, events)
end

local file = io.tmpfile and io.tmpfile() or nil
local closed = io.tmpfile and io.tmpfile() or nil
if closed then pcall(closed.close, closed) end
local finished = coroutine.create(function() end)
coroutine.resume(finished)
local yielded = coroutine.create(function() coroutine.yield() end)
coroutine.resume(yielded)

local values = {
  0, 1, -1, 2, 3, 0.5, -0.5, 255, 2^24, 67108863, 67108864, 2^31 - 1, 2^31, -2^31, 2^32, 2^53, 2^62, 2^63, -2^63, 2^64, 1e308, -1e308,
  nan, inf, -inf,
  "", "a", "abc", "5", "0x", "%", "%s", "%d %d %s", "%q", "%c", "%*d", "%[3]d", "%[99999999999]d", "%99999999999d", "%.99999999999f",
  "%v", "%T", "%#v", "%p", "%t", "%U", "%b", "%b(", "%f", "[", "[^", "[a-", "(", ")", "()", "(()", "%1", "%9", "^", "$", "*", "-", "a-", "\0", "\255\254",
  ("x"):rep(100), ("(a)"):rep(40), "r", "w", "set", "cur", "*a", "*l", "*n", "full", "#", "*t", "!*t", "%c%x%w", "=", "nSlufL", ">",
  true, false, {}, { 1, 2, 3 }, { n = -1 }, { [0] = 1, [2^53] = 2, x = {} }, { year = 1e308, month = nan, day = inf },
  print, function() end, function(...) return ... end, function() error({}) end, coroutine.wrap(function() end),
  finished, yielded, coroutine.create(function() end), angry(), newproxy and newproxy(true), io.stdout, file, closed,
}
local count = 0
for i in pairs(values) do count = math.max(count, i) end
values[count + 1] = nil -- an absent argument

-- shown is the text of arguments for a report.
local function shown(...)
  local args = {}
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    args[i] = type(v) == "string" and format("%q", v) or type(v) == "number" and tostring(v) or type(v)
  end
  return concat(args, ", ")
end
