-- The repaired lost wake-up: the look and the wait are one critical section, and the look is repeated.

local m = fiber.mutex()
local changed = fiber.cond(m)
local ready = false

local function prepare() end

fiber.spawn(function()
  m:lock()
  ready = true
  m:unlock()
  changed:signal()
end)

prepare()
m:lock()
while not ready do
  changed:wait()
end
m:unlock()
