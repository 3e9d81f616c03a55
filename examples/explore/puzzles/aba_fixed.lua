-- The repaired ABA: the top has a version, which each exchange increases.

local m = fiber.mutex()
local top, version, next = 1, 0, { 2, 0 } -- the nodes are 1 and 2; 0 is the end

local function look()
  return m:with(function() return top, version end)
end

local function exchange(old, seen, new)
  return m:with(function()
    if top ~= old or version ~= seen then
      return false
    end
    top, version = new, version + 1
    return true
  end)
end

local function push(n)
  local old, seen
  repeat
    old, seen = look()
    next[n] = old
  until exchange(old, seen, n)
end

local function pop()
  local old, seen
  repeat
    old, seen = look()
  until old == 0 or exchange(old, seen, next[old])
  return old
end

local other = fiber.spawn(pop)
local a, b = pop(), pop()
if a ~= 0 then
  push(a)
end
local _, c = other:join()
assert(b == 0 or pop() ~= b and c ~= b, "a node was taken twice")
