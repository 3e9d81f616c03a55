-- Lost update: two fibers read a counter before either of them writes it. The read and the write are locked,
-- and not what they are for.
-- Finding: failure

local m = fiber.mutex()
local count = 0

local function get() return count end
local function set(n) count = n end

local function increment()
  local n = m:with(get)
  m:with(set, n + 1)
end

fiber.scope(function(s)
  s:spawn(increment)
  s:spawn(increment)
end)
assert(count == 2, "an update was lost")
