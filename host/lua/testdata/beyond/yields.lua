-- Yields from places that gopher-lua's own coroutines cannot leave.
local yield, wrap = coroutine.yield, coroutine.wrap
local function collect(f) local out = {} for v in wrap(f) do out[#out + 1] = tostring(v) end print(table.concat(out, " ")) end
collect(function() print(pcall(function() yield("in pcall"); error("after") end)); yield("behind pcall") end)
collect(function() print(xpcall(function() yield("in xpcall"); error("E", 0) end, function(m) yield("in handler"); return m .. "!" end)) end)
local mt = {}
for _, e in ipairs{"add", "sub", "mul", "div", "mod", "pow", "unm", "concat"} do mt["__" .. e] = function() yield(e); return e end end
mt.__len = function() yield("len"); return 3 end
mt.__eq = function() yield("eq"); return true end
mt.__lt = function() yield("lt"); return true end
mt.__le = function() yield("le"); return false end
mt.__call = function(_, x) yield("call" .. x); return x end
mt.__tostring = function() yield("tostring"); return "T" end
mt.__index = function(_, k) yield("index " .. k); return k end
mt.__newindex = function(t, k, v) yield("newindex " .. k); rawset(t, k, v) end
local a, b = setmetatable({}, mt), setmetatable({}, mt)
collect(function()
  local r = {a + b, a - b, a * b, a / b, a % b, a ^ b, -a, a .. b, #a, a == b, a < b, a <= b, a(7), tostring(a), a.key}
  a.field = 5
  for i = 1, #r do r[i] = tostring(r[i]) end
  print(table.concat(r, ","), rawget(a, "field"))
end)
collect(function() for v in function(_, v) v = (v or 0) + 1; yield("iter" .. v); return v < 3 and v or nil end do yield("body" .. v) end end)
collect(function() local t = {3, 1, 2}; table.sort(t, function(x, y) yield(x .. "<" .. y); return x < y end); print(table.concat(t, ",")) end)
collect(function() print(("abc"):gsub("%w", function(c) yield("gsub " .. c); return c:upper() end)) end)
collect(function() local i = 0; print(load(function() i = i + 1; yield("reader" .. i); return ({"return ", "6 * 7"})[i] end)()) end)
collect(function() package.preload.yielding = function() yield("loading"); return {v = 1} end; print(require("yielding").v) end)
collect(function() print(setmetatable({}, {__tostring = function() yield("printing"); return "printed" end})) end)
collect(function() local f = loadstring("coroutine.yield('chunk') return 'chunk done'"); print(f()) end)
collect(function() for v in wrap(function() for w in wrap(function() yield("deep"); yield("deeper") end) do yield(w .. "!") end end) do yield(v .. "?") end end)
collect(function() local function rec(n) if n == 0 then yield("bottom") else pcall(rec, n - 1) end end; rec(40) end)
collect(function() print(pcall(pcall, function() yield(1); yield(2); error(setmetatable({}, {__tostring = function() return "obj" end})) end)) end)
collect(function() print(select("#", yield("args")), yield("none")) end)
local co = coroutine.create(function() pcall(yield, "tail"); return pcall(yield, 1, nil, 3) end)
print(coroutine.resume(co)) print(coroutine.resume(co)) print(coroutine.resume(co, "x", nil)) print(coroutine.status(co))
