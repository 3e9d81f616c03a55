-- Whole small programs.
local function sieve(n) local p, out = {}, {} for i = 2, n do if not p[i] then out[#out + 1] = i; for j = i * i, n, i do p[j] = true end end end return out end
print(#sieve(500), sieve(50)[15])
local function queens(n)
  local count, cols, d1, d2 = 0, {}, {}, {}
  local function place(r)
    if r > n then count = count + 1 return end
    for c = 1, n do if not (cols[c] or d1[r + c] or d2[r - c]) then
      cols[c], d1[r + c], d2[r - c] = true, true, true place(r + 1) cols[c], d1[r + c], d2[r - c] = nil, nil, nil
    end end
  end
  place(1) return count
end
print(queens(5))
local function json(v)
  if type(v) == "table" then
    if #v > 0 then local o = {} for i, x in ipairs(v) do o[i] = json(x) end return "[" .. table.concat(o, ",") .. "]" end
    local o = {} for k, x in pairs(v) do o[#o + 1] = string.format("%q:%s", k, json(x)) end table.sort(o) return "{" .. table.concat(o, ",") .. "}"
  end
  return type(v) == "string" and string.format("%q", v) or tostring(v)
end
print(json{1, "two", {a = true, b = {3, 4}}, 5.5})
local words = {}
for w in ("the quick brown fox jumps over the lazy dog the end"):gmatch("%a+") do words[w] = (words[w] or 0) + 1 end
local keys = {} for k in pairs(words) do keys[#keys + 1] = k end
table.sort(keys, function(a, b) if words[a] ~= words[b] then return words[a] > words[b] end return a < b end)
for i = 1, 3 do io.write(keys[i], "=", words[keys[i]], " ") end print()
local memo = setmetatable({}, {__index = function(t, n) local v = n < 2 and n or t[n - 1] + t[n - 2]; rawset(t, n, v); return v end})
print(memo[30])
local function mandel(w) local out = {} for y = 0, w - 1 do local row = {} for x = 0, w - 1 do
  local cr, ci, zr, zi, n = 2 * x / w - 1.5, 2 * y / w - 1, 0, 0, 0
  while n < 12 and zr * zr + zi * zi < 4 do
    local r, i = zr * zr - zi * zi + cr, 2 * zr * zi + ci -- bare gopher-lua would use the new zr for zi
    zr, zi, n = r, i, n + 1
  end
  row[#row + 1] = n == 12 and "#" or "." end out[#out + 1] = table.concat(row) end return table.concat(out, "\n") end
print(mandel(8))
local Account = {} Account.__index = Account
function Account.new(b) return setmetatable({balance = b}, Account) end
function Account:withdraw(n) if n > self.balance then error({need = n, have = self.balance}) end self.balance = self.balance - n end
local acc = Account.new(10) local ok, e = pcall(acc.withdraw, acc, 20) print(ok, e.need, e.have, acc.balance)
local events = {} local function on(n, f) events[n] = events[n] or {} table.insert(events[n], f) end
local function emit(n, ...) for _, f in ipairs(events[n] or {}) do pcall(f, ...) end end
local seen = {} on("x", function(v) seen[#seen + 1] = v end) on("x", function() error("ignored") end) on("x", function(v) seen[#seen + 1] = v * 2 end)
emit("x", 5) emit("y") print(table.concat(seen, ","))
local lines = {} for l in ([[a
b
c]]):gmatch("[^\n]+") do lines[#lines + 1] = l end print(#lines, lines[3])
