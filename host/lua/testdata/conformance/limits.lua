-- Where a program runs out of frames or registers. depth is a global: bare gopher-lua
-- loses captured locals when an error is caught.
depth = 0
local function down() depth = depth + 1; down() end
print(pcall(down)) print(depth)
depth = 0
local function nottail() depth = depth + 1; return 1 + nottail() end
print(pcall(nottail)) print(depth)
depth = 0
local function viaPcall() depth = depth + 1; local ok, e = pcall(viaPcall); if not ok then error(e, 0) end end
print(pcall(viaPcall)) print(depth)
depth = 0
local meta = setmetatable({}, {__index = function(t, k) depth = depth + 1; return t[k + 1] end})
print(pcall(function() return meta[1] end)) print(depth)
depth = 0
local function viaSort() depth = depth + 1; table.sort({2, 1}, function(a, b) viaSort(); return a < b end) end
print(pcall(viaSort)) print(depth)
depth = 0
local function viaGsub() depth = depth + 1; return (("x"):gsub("x", viaGsub)) end
print(pcall(viaGsub)) print(depth)
depth = 0
local obj = setmetatable({}, {__tostring = function(o) depth = depth + 1; return "x" .. tostring(o) end})
print(pcall(tostring, obj)) print(depth)
depth = 0
local callable = setmetatable({}, {}) getmetatable(callable).__call = function(self) depth = depth + 1; self() end
print(pcall(callable)) print(depth)
depth = 0
print(xpcall(down, function(m) return "handled: " .. m end)) print(depth)
local levels = {}
local function probe(n) levels[#levels + 1] = n; local ok, e = pcall(probe, n + 1); if not ok then levels.message = levels.message or e end; return n end
probe(1) print(#levels, levels.message)
local function tail(n) if n == 0 then return "tail calls are free" end return tail(n - 1) end
print(tail(10000))
print(pcall(function() return unpack({}, 1, 6000) end))
print(pcall(string.rep, "x", -1), #string.rep("ab", 1000))
local function wide(...) return select("#", ...) end
print(wide(unpack({}, 1, 200)), pcall(function() return wide(unpack({}, 1, 4000)) end))
print(pcall(loadstring("return " .. ("("):rep(150) .. "1" .. (")"):rep(150))))
depth = 0
local co = coroutine.create(down) print(coroutine.resume(co)) print(depth)
local function mixed(n) depth = n; if n % 3 == 0 then return (mixed(n + 1)) elseif n % 3 == 1 then local ok, v = pcall(mixed, n + 1); if not ok then error(v, 0) end return v end
  return (("y"):gsub("y", function() return mixed(n + 1) end)) end
print(pcall(mixed, 1)) print(depth)
for i = 1, 3 do depth = 0; pcall(down); io.write(depth, " ") end print()
