-- Calls the function at a path with the values, and reports each answer to the test.
local path, seed = ...

local function next_random()
  seed = (seed * 16807) % 2147483647
  return seed
end

local target = _G
for name in path:gmatch("[^.]+") do
  target = name == "<file>" and getmetatable(file).__index or target[name]
end

local called_with
local function check(ok, ...)
  for i = 1, math.min(select("#", ...), 20) do
    local v = select(i, ...)
    if type(v) == "string" then report(path, v, called_with) end
  end
end

local ran = 0
local function try(...)
  called_with = shown(...)
  ran = ran + 1
  local call = coroutine.create(function(...) check(pcall(target, ...)) end) -- with locals of its own
  coroutine.resume(call, ...)
end

try()
for i = 1, count do
  try(values[i])
  try("abc", values[i])
  try(file, values[i])
  try({ 1, 2, 3 }, values[i])
  try("abc", "b", values[i])
  try("abc", "b", values[i], true)
  try(1, values[i], values[i])
end
for _ = 1, 3000 do
  local n = next_random() % 5 + 1
  local args = {}
  for i = 1, n do args[i] = values[next_random() % (count + 1) + 1] end
  try(unpack(args, 1, n))
end
report(path, "calls: " .. ran, "")
