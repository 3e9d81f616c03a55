-- What gopher-lua's own coroutines can do.
local function gen(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end
local s = 0 for v in gen(10) do s = s + v end print(s)
local co = coroutine.create(function(a, b)
  print("start", a, b)
  local c = coroutine.yield(a + b)
  print("then", c)
  local d, e = coroutine.yield(c * 2, "x")
  print("last", d, e)
  return "end", nil, 3
end)
print(coroutine.status(co), type(co))
print(coroutine.resume(co, 1, 2)) print(coroutine.status(co))
print(coroutine.resume(co, 10))
print(coroutine.resume(co, "d", "e")) print(coroutine.status(co))
print(coroutine.resume(co)) print(coroutine.resume(co))
print(select("#", coroutine.resume(coroutine.create(function() end))))
print(select("#", coroutine.resume(coroutine.create(function() coroutine.yield() end))))
print(select("#", coroutine.resume(coroutine.create(function() return nil end))))
print(coroutine.running(), pcall(coroutine.yield, 1))
print(pcall(coroutine.resume, 1)) print(pcall(coroutine.create, 1)) print(pcall(coroutine.wrap)) print(pcall(coroutine.status))
local bad = coroutine.create(function() error("broken") end)
print(coroutine.resume(bad)) print(coroutine.status(bad)) print(coroutine.resume(bad))
local tbl = {code = 5}
local ok, e = coroutine.resume(coroutine.create(function() error(tbl) end)) print(ok, e == tbl)
print(coroutine.resume(coroutine.create(function() local x = nil; return x.y end)))
local me
me = coroutine.create(function()
  print(coroutine.running() == me, coroutine.status(me))
  print(coroutine.resume(me))
  return "ok"
end)
print(coroutine.resume(me))
local outer = coroutine.create(function()
  local inner = coroutine.create(function() coroutine.yield("inner") return "inner done" end)
  print(coroutine.resume(inner)) coroutine.yield("outer")
  print(coroutine.resume(inner)) print(coroutine.status(inner))
  return "outer done"
end)
print(coroutine.resume(outer)) print(coroutine.resume(outer))
local parent
parent = coroutine.create(function()
  local child = coroutine.create(function() return coroutine.status(parent) end)
  return select(2, coroutine.resume(child))
end)
print(coroutine.resume(parent))
local w = coroutine.wrap(function(...) local n = select("#", ...); while true do n = n + select("#", coroutine.yield(n)) end end)
print(w(1, 2), w(), w(nil), w(1, 2, 3))
print(coroutine.wrap(function() return debug.traceback("in coroutine") end)())
print(coroutine.wrap(function() local function f() return (debug.traceback("deeper")) end; local r = f(); return r end)())
local tr = coroutine.create(function() local x = 1; coroutine.yield(x) end)
coroutine.resume(tr) print(debug.traceback(tr)) coroutine.resume(tr) print(debug.traceback(tr))
print(debug.traceback(coroutine.create(print)), debug.traceback(coroutine.create(print), 0))
local dead = coroutine.create(function() local function f() error("x") end f() end)
coroutine.resume(dead) print(debug.traceback(dead)) print(debug.traceback(dead, 0))
local function producer() return coroutine.create(function() for _, v in ipairs{"a", "b", "c"} do coroutine.yield(v) end return nil end) end
local function filter(p) return coroutine.create(function()
  local line = 1
  while true do local _, x = coroutine.resume(p); if not x then return nil end
    coroutine.yield(string.format("%d%s", line, x)); line = line + 1 end end) end
local f = filter(producer())
while true do local _, x = coroutine.resume(f); if not x then break end; io.write(x, " ") end print()
local function permgen(a, n) if n <= 1 then coroutine.yield(a) else for i = 1, n do
  a[n], a[i] = a[i], a[n]; permgen(a, n - 1); a[n], a[i] = a[i], a[n] end end end
for p in coroutine.wrap(function() permgen({1, 2, 3}, 3) end) do io.write(table.concat(p), " ") end print()
print(tostring(coroutine.create(print)):match("^thread: 0x%x+$") ~= nil)
local t = setmetatable({}, {__mode = "k"}) t[coroutine.create(print)] = 1 print(next(t) ~= nil)
local env = coroutine.create(function() setfenv(0, {marker = 1}); return getfenv(0).marker end)
print(coroutine.resume(env)) print(getfenv(0).marker, debug.getfenv(env).marker)
