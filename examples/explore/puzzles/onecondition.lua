-- Producers and consumers with one condition: a consumer that has emptied the buffer wakes the other consumer
-- instead of a producer. It waits again, as the producer does.
-- Finding: deadlock

local m = fiber.mutex()
local changed = fiber.cond(m)
local full = false

local function set(to)
  m:lock()
  while full == to do
    changed:wait()
  end
  full = to
  changed:signal()
  m:unlock()
end

fiber.scope(function(s)
  for _ = 1, 2 do
    s:spawn(set, false) -- a consumer
    s:spawn(set, true) -- a producer
  end
end)
