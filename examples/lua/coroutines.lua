-- Coroutines inside fibers.
--
--     selvage run --virtual examples/lua/coroutines.lua
--
-- A fiber is not a coroutine: coroutine.* works in it as in plain Lua. If a coroutine waits,
-- its fiber waits, with all its active coroutines.

-- A generator: a coroutine that yields values to its resumer.
local function fibonacci()
  return coroutine.wrap(function()
    local a, b = 0, 1
    while true do
      coroutine.yield(a)
      a, b = b, a + b
    end
  end)
end

-- A generator that gets what it yields from a channel: it waits for another fiber in
-- the middle, which the code that resumes it does not notice.
local function pairs_of(ch)
  return coroutine.wrap(function()
    while true do
      local a, b = ch:recv(), ch:recv()
      if b == nil then return nil end
      coroutine.yield(a, b)
    end
  end)
end

local numbers = fiber.chan()
fiber.spawn(function()
  local next_fibonacci = fibonacci()
  for _ = 1, 10 do
    fiber.sleep(0.1)
    numbers:send(next_fibonacci())
  end
  numbers:close()
end)

for a, b in pairs_of(numbers) do
  print(("%.1f s: %d and %d"):format(fiber.now(), a, b))
end

-- Two fibers, each with coroutines of its own; an error in a coroutine is its own too.
local function walker(tree)
  local function walk(node)
    if type(node) ~= "table" then
      fiber.sleep(0.1)
      if node == "?" then error("a leaf that cannot be read") end
      coroutine.yield(node)
      return
    end
    for _, child in ipairs(node) do walk(child) end
  end
  return coroutine.create(function() walk(tree) end)
end

local function leaves(tree)
  local found, co = {}, walker(tree)
  while true do
    local ok, leaf = coroutine.resume(co)
    if not ok then return table.concat(found, " ") .. ", then an error: " .. leaf end
    if leaf == nil then return table.concat(found, " ") end
    found[#found + 1] = leaf
  end
end

local left = fiber.spawn(leaves, { 1, { 2, 3 }, { { 4 } } })
local right = fiber.spawn(leaves, { "a", { "b", { "?" } }, "c" })
print("left:", select(2, left:join()))
print("right:", select(2, right:join()))

-- Yielding inside pcall, a metamethod, a sort or a gsub works as well: none of them
-- notices that its fiber is suspended.
local squares = setmetatable({}, { __index = function(_, n)
  fiber.sleep(n / 10)
  return n * n
end })
local started = fiber.now()
print("squares:", (("1 2 3"):gsub("%d", function(n) return squares[tonumber(n)] end)))
print(("it took %.1f s"):format(fiber.now() - started))
