-- Lost wake-up: the lock is released between the look at the variable and the wait. A signal in between wakes
-- nothing, and no other one follows.
-- Finding: deadlock

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

m:lock()
if not ready then
  m:unlock()
  prepare()
  m:lock()
  changed:wait()
end
m:unlock()
