-- The repaired producers and consumers: all that wait are woken.

local m = fiber.mutex()
local changed = fiber.cond(m)
local full = false

local function set(to)
  m:lock()
  while full == to do
    changed:wait()
  end
  full = to
  changed:broadcast()
  m:unlock()
end

fiber.scope(function(s)
  for _ = 1, 2 do
    s:spawn(set, false) -- a consumer
    s:spawn(set, true) -- a producer
  end
end)
