-- Closures, varargs, loops, multiple results, goto.
local function counter() local n = 0; return function(d) n = n + (d or 1); return n end end
local a, b = counter(), counter()
print(a(), a(), b(5), a(), b())
local function sum(...) local s = 0; for i = 1, select("#", ...) do s = s + (select(i, ...)) end; return s, ... end
print(sum(1, 2, 3), (sum(4, 5)))
print(select("#", sum()), select("#", nil, nil), select(-1, 1, 2, 3))
local t = {sum(1, 2), sum(3, 4), n = #"abc"}
print(#t, t[1], t[2], t[3], t[4], t.n)
for i = 10, 1, -3 do io.write(i, " ") end print()
for i = 1, 3 do for j = 1, 3 do if j == 2 then goto continue end io.write(i * j, ",") ::continue:: end end print()
local i = 0
repeat local done = i >= 3; i = i + 1 until done
while true do i = i + 1; if i > 10 then break end end
print(i, 2^10, 7 % -3, -7 % 3, 1/0, -1/0, 10 / 4)
local fs = {}
for k = 1, 3 do fs[k] = function() k = k + 10; return k end end
print(fs[1](), fs[1](), fs[2](), fs[3]())
local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end
local function loop(n, acc) if n == 0 then return acc end return loop(n - 1, acc + n) end
print(fact(10), loop(5000, 0))
print((function(...) return arg and arg.n or select("#", ...) end)(1, nil, 3))
print("a" .. 1 .. 2.5 .. "z", #"hello", not nil, not 0, nil == false, "10" + 5, "0x10" * 2)
local big = {}
for n = 1, 300 do big[n] = n * n end
print(#big, big[300], unpack(big, 5, 8))
print(1 < 2, "a" < "b", "a" <= "a", 2 >= 3, "Z" < "a")
local s = {}
for k, v in pairs({10, 20, 30, x = 1}) do s[#s + 1] = tostring(k) .. "=" .. tostring(v) end
table.sort(s) print(table.concat(s, " "))
for k, v in ipairs({"p", "q", nil, "r"}) do io.write(k, v, ";") end print()
for w, n in string.gmatch("a=1, b=22, c=333", "(%w+)=(%w+)") do io.write(w, ":", n, " ") end print()
print(next({}), type(next), rawequal(t, t), rawget(t, "n"), rawset(t, "m", 1) == t, t.m)
print(tostring(nil), tostring(true), tonumber("12"), tonumber("zz"), tonumber("ff", 16), tonumber("1e2"))
