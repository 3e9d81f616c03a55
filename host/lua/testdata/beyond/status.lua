-- Statuses and refusals that are those of Lua 5.1 where gopher-lua's own go wrong.
local a, b
a = coroutine.create(function()
  b = coroutine.create(function()
    local c = coroutine.create(function() return coroutine.status(a), coroutine.status(b), coroutine.resume(a) end)
    return coroutine.resume(c)
  end)
  return coroutine.resume(b)
end)
print(coroutine.resume(a))
print(coroutine.status(a), coroutine.status(b))
local broken = coroutine.wrap(function() error("once", 0) end)
print(pcall(broken)) print(pcall(broken))
local w w = coroutine.wrap(function() return pcall(w) end) print(w())
local function nest(n) local co = coroutine.create(nest); local ok, e = coroutine.resume(co, n + 1); if ok then return e, (select(2, ok)) end; return n, e end
print(nest(0))
local g = coroutine.wrap(function() return "a C body" end) print(g())
print(coroutine.resume(coroutine.create(string.rep), "ab", 2)) print(coroutine.wrap(math.max)(3, 9, 4)) print(coroutine.resume(coroutine.create(string.rep)))
print(coroutine.resume(coroutine.create(coroutine.yield), "yield itself", 2))
local thrower = coroutine.create(function() local t = setmetatable({}, {__index = function() error({why = "object"}) end}); return t.x end)
local ok, e = coroutine.resume(thrower) print(ok, type(e), e.why)
-- A coroutine that one function starts and another finishes.
local shared = coroutine.create(function(x) while true do x = coroutine.yield(x .. "'") end end)
local function use(v) return select(2, coroutine.resume(shared, v)) end
print(use("a"), coroutine.wrap(function() return use("b") end)(), pcall(use, "c"))
