-- Every way of reading a table, over tables with distant keys. The twin of a table has its keys as
-- strings, which are never in an array.
local function fill(keys)
  local t, twin = {}, {}
  for _, k in ipairs(keys) do
    t[k], twin[tostring(k)] = "v" .. k, "v" .. k
  end
  return t, twin
end

local function keys_of(twin)
  local list = {}
  for k in pairs(twin) do list[#list + 1] = tonumber(k) end
  table.sort(list)
  return list
end

local function same(what, k, got, want)
  if got ~= want then
    error(("%s at %s: %s, want %s"):format(what, tostring(k), tostring(got), tostring(want)), 0)
  end
end

local function whole(k) return k == math.floor(k) end

-- reads are the ways to read one key.
local reads = {
  index = function(t, k) return t[k] end,
  rawget = rawget,
  unpack = function(t, k)
    if not whole(k) then return t[k] end
    return (unpack(t, k, k))
  end,
  concat = function(t, k) return t[k] and whole(k) and table.concat(t, "", k, k) or t[k] end,
  next = function(t, k)
    for key, v in next, t do
      if key == k then return v end
    end
  end,
  ["__index table"] = function(t, k) return setmetatable({}, { __index = t })[k] end,
  ["__index function"] = function(t, k) return setmetatable({}, { __index = function(_, key) return t[key] end })[k] end,
  ["two __index"] = function(t, k) return setmetatable({}, { __index = setmetatable({}, { __index = t }) })[k] end,
  ["__index of a userdata"] = function(t, k)
    local u = newproxy(true)
    getmetatable(u).__index = t
    return u[k]
  end,
  ["upvalue in a coroutine"] = function(t, k) return coroutine.wrap(function() return t[k] end)() end,
  ["copied by pairs"] = function(t, k)
    local copy = {}
    for key, v in pairs(t) do copy[key] = v end
    return copy[k]
  end,
  ["written through __newindex"] = function(t, k)
    local store = {}
    local front = setmetatable({}, { __newindex = store })
    for key, v in pairs(t) do front[key] = v end
    return store[k]
  end,
}

-- replaced reads t[k] as gsub does for a capture that is a position.
local function replaced(t, k)
  if not whole(k) or k < 1 or k > 70000 then return t[k] end
  local text, n = (("x"):rep(k - 1) .. "y"):gsub("()y", t)
  same("matches of gsub", k, n, 1)
  return text:sub(k) ~= "y" and text:sub(k) or nil
end
reads["gsub"] = replaced
reads["gsub by __index"] = function(t, k) return replaced(setmetatable({}, { __index = t }), k) end
reads["gsub by an __index function"] = function(t, k) return replaced(setmetatable({}, { __index = function(_, key) return t[key] end }), k) end

local edges = { -1, 0, 0.5, 1, 2, 3, 16383, 16384, 16385, 16386, 20000, 20000.5, 32767, 32768, 32769, 65536, 2^20, 2^26 - 1, 2^26, 2^31, 2^53 }

local function read_each(t, twin)
  for name, read in pairs(reads) do
    for _, k in ipairs(edges) do same(name, k, read(t, k), twin[tostring(k)]) end
  end
end

local function read_all(t, twin)
  local list, seen = keys_of(twin), {}
  for k, v in pairs(t) do
    same("pairs, twice", k, seen[k], nil)
    seen[k] = true
    same("pairs", k, v, twin[tostring(k)])
  end
  for _, k in ipairs(list) do same("pairs", k, seen[k], true) end
  same("maxn", "", table.maxn(t), math.max(0, list[#list] or 0))
  local border = #t
  same("#", border, border == 0 or twin[tostring(border)] ~= nil, true)
  same("#", border + 1, twin[tostring(border + 1)], nil)
  same("getn", "", table.getn(t), border)
  local count = 0
  for i, v in ipairs(t) do
    count = count + 1
    same("ipairs", i, v, twin[tostring(i)])
  end
  same("ipairs, end", count + 1, twin[tostring(count + 1)], nil)
  same("unpack", "", select("#", unpack(t)), border)
  same("__tostring", "", tostring(setmetatable({}, { __tostring = function() return t[20000] or "none" end })), twin["20000"] or "none")
end

-- change uses the functions that move elements, on the table and on a list without distant keys.
local function change(t, twin)
  local n, plain = #t, {}
  for i, v in ipairs(t) do plain[i] = v end
  if #plain < n then return end -- a list has no holes
  for _, list in ipairs{ t, plain } do
    table.sort(list, function(a, b) return a > b end)
    if n > 0 then table.remove(list, 1) end
    table.insert(list, "last")
    table.insert(list, 1, "first")
  end
  for i = 1, #plain do same("changed", i, t[i], plain[i]) end
  for _, k in ipairs(keys_of(twin)) do
    if k > #plain or k < 1 or not whole(k) then same("beside changed ones", k, t[k], twin[tostring(k)]) end
  end
end

local tables = { {}, { 20000 }, { 2^26 - 1 }, { 1, 2, 3, 20000 }, { 20000, 3, 2, 1 }, { -1, 0, 0.5, 20000.5, 2^31, 2^53, 2^26 }, edges }
local long, back = {}, {}
for i = 1, 16400 do long[i], back[i] = i, 16401 - i end
table.insert(tables, long)
table.insert(tables, back)
table.insert(tables, { 32769, 65536, unpack(long, 1, 16386) })

for _, keys in ipairs(tables) do
  local t, twin = fill(keys)
  read_each(t, twin)
  read_all(t, twin)
  for _, k in ipairs{ 20000, 16384, 1 } do
    t[k], twin[tostring(k)] = nil, nil
    read_all(t, twin)
  end
  change(fill(keys))
end
