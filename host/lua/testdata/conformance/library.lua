-- Functions of the standard library, above all those that call back.
print(("hello world"):gsub("o", "0"), ("abc"):gsub("%w", "%0%0"), ("abc"):gsub("", "-"))
print(("hello"):gsub("l+", function(m) local n = 0; for i = 1, 9 do n = n + i end; return "<" .. m .. n .. ">" end))
print(("$name is $age"):gsub("%$(%w+)", {name = "Lua", age = 30}))
print(("a,b,,c"):find(",", 1, true), ("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("x"):byte(), string.char(72, 105))
print(("abc"):upper(), ("ABC"):lower(), ("abc"):reverse(), ("abcdef"):sub(2, -2), ("ab"):rep(3), ("abc"):len())
print(string.format("%5d|%-5s|%05.1f|%x|%q|%%|%c|%s", 42, "ab", 3.14159, 255, "q\n", 65, {} ~= nil))
local t = {5, 2, 8, 1, 9, 3}
table.sort(t) print(table.concat(t, ","))
table.sort(t, function(a, b) local n = 0; for i = 1, 3 do n = n + 1 end; return a > b end) print(table.concat(t, ","))
local recs = {}
for i = 1, 60 do recs[i] = {k = (i * 37) % 61} end
table.sort(recs, function(a, b) return a.k < b.k end)
local sorted = true for i = 2, #recs do sorted = sorted and recs[i - 1].k <= recs[i].k end print(sorted)
local objs = {} for i = 1, 5 do objs[i] = setmetatable({v = 6 - i}, {}) end
local mt = {__lt = function(a, b) return a.v < b.v end} for _, o in ipairs(objs) do setmetatable(o, mt) end
table.sort(objs) for _, o in ipairs(objs) do io.write(o.v, " ") end print()
table.insert(t, 100) table.insert(t, 1, 0) print(table.remove(t), table.remove(t, 1), #t, table.maxn(t), table.getn(t))
print(pcall(table.concat, {1, {}, 3}))
print(math.floor(3.7), math.ceil(3.2), math.max(1, 5, 3), math.min(4, 2), math.abs(-3), math.huge, math.pi, math.fmod(7, 3), math.sqrt(16))
print(os.time{year = 2020, month = 1, day = 1, hour = 12} - os.time{year = 2020, month = 1, day = 1, hour = 11}, type(os.clock()), os.getenv("NO_SUCH_VARIABLE"))
print(loadstring("return ...")(1, 2), loadstring("local a = ...; return a * 2")(21))
local parts, i = {"return ", "40", " + 2"}, 0
print(load(function() i = i + 1; return parts[i] end)())
print(type(load(function() return nil end)), load(function() return {} end))
print(pcall(load, function() error("reader failed") end))
print(dofile("testdata/modules/value.lua"), pcall(dofile, "testdata/modules/missing.lua"))
package.path = "testdata/modules/?.lua;" .. package.path
print(require("module").answer, require("module") == require("module"), package.loaded.module ~= nil)
print(require("slow").sum, pcall(require, "no.such.module") == false)
package.preload.virtual = function(name) return {name = name} end
print(require("virtual").name, (select(2, pcall(require, "broken"))))
local f = setfenv(function() return x end, {x = "env"}) print(f(), getfenv(f).x, getfenv(1) == _G)
local name = os.tmpname()
local out = assert(io.open(name, "w")) out:write("one\n", 2, "\nthree") out:close()
for line in io.lines(name) do io.write("[", line, "]") end print()
local inp = io.open(name) print(inp:read("*l"), inp:read("*n"), inp:read("*a")) print(inp:seek("set", 0), inp:read(3)) inp:close()
print(io.type(inp), io.type(io.stdout), io.type(1), io.open("/no/such/file"))
os.remove(name)
io.stdout:write("direct ", 1, " ", 2.5, "\n") print(pcall(io.write, {})) print(io.output() == io.stdout)
print(collectgarbage("collect"), type(newproxy(true)), _VERSION)
print(debug.getinfo(1, "l").currentline, debug.getinfo(print).what, debug.getinfo(1, "S").source)
local function locals(a, b) local c = a + b; return debug.getlocal(1, 1), debug.getlocal(1, 3) end print(locals(1, 2))
print(pcall(string.format, "%d", "x"), tostring(1e15), tostring(1e100), 0.1, -0.0, 100000000000000)
print(setmetatable({}, {__tostring = function() return "shown" end}), nil, false)
print(pcall(print, setmetatable({}, {__tostring = function() error("unprintable") end})))
