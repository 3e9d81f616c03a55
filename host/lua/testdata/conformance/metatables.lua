-- Every event, with Lua functions that run for a while.
local log = {}
local function spend() local n = 0; for i = 1, 5 do n = n + i end; return n end
local mt = {}
local function new(v) return setmetatable({v = v}, mt) end
for _, e in ipairs{"add", "sub", "mul", "div", "mod", "pow"} do
  mt["__" .. e] = function(x, y)
    spend()
    return new(e .. "(" .. (type(x) == "table" and x.v or x) .. "," .. (type(y) == "table" and y.v or y) .. ")")
  end
end
mt.__unm = function(x) spend() return new("-" .. x.v) end
mt.__concat = function(x, y) spend() return (type(x) == "table" and x.v or x) .. "~" .. (type(y) == "table" and y.v or y) end
mt.__len = function(x) spend() return 42 end
mt.__eq = function(x, y) spend() return x.v == y.v end
mt.__lt = function(x, y) spend() return x.v < y.v end
mt.__le = function(x, y) spend() return x.v <= y.v end
mt.__call = function(self, a, b) spend() return self.v, a, b end
mt.__tostring = function(x) spend() return "<" .. x.v .. ">" end
mt.__index = function(t, k) spend() return k .. "?" end
mt.__newindex = function(t, k, v) spend() rawset(t, k, v .. "!") end
local a, b = new("a"), new("b")
print(tostring(a + b), tostring(a - 1), tostring(2 * b), tostring(a / b), tostring(a % 3), tostring(a ^ b))
print(tostring(-a), a .. b, a .. "x", "x" .. b, 1 .. a, #a)
print(a == b, a == new("a"), a ~= b, a < b, a <= b, a > b, a >= b)
print(a(1, 2), a(), select("#", a(1, 2, 3)))
print(a, b, a.missing, a["k" .. 1])
a.field = "set" print(a.field, rawget(a, "field"))
local proxy = setmetatable({}, {__index = setmetatable({x = 1}, {__index = function(_, k) return k .. k end})})
print(proxy.x, proxy.y, proxy[1])
local class = {} class.__index = class
function class.new(n) return setmetatable({n = n}, class) end
function class:twice() return self.n * 2 end
print(class.new(21):twice(), getmetatable(class.new(1)) == class)
print(getmetatable("").__index == string, ("x"):rep(3), ("%d"):format(7))
local locked = setmetatable({}, {__metatable = "no"})
print(getmetatable(locked), pcall(setmetatable, locked, {}))
local visited = {}
local seen = setmetatable({}, {__newindex = function(t, k, v) visited[#visited + 1] = k; rawset(t, k, v) end})
for i = 1, 3 do seen["k" .. i] = i end
print(table.concat(visited, ","), seen.k2)
