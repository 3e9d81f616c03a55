-- The repaired lost update: the read and the write are one critical section.

local m = fiber.mutex()
local count = 0

local function get() return count end
local function set(n) count = n end

local function increment()
  m:with(function() set(get() + 1) end)
end

fiber.scope(function(s)
  s:spawn(increment)
  s:spawn(increment)
end)
assert(count == 2, "an update was lost")
