-- Sleeping barber: the barber finds no customer and goes to sleep. A customer who comes in between sees that
-- the barber is awake, and waits without waking him.
-- Finding: deadlock

local m, wake, done = fiber.mutex(), fiber.chan(), fiber.chan()
local waiting, asleep = 0, false

local function barber(customers)
  for _ = 1, customers do
    m:lock()
    local empty = waiting == 0
    m:unlock()
    m:lock()
    asleep = empty
    m:unlock()
    if empty then
      wake:recv()
    end
    m:with(function() waiting = waiting - 1 end)
    done:send(true)
  end
end

local function customer()
  m:lock()
  waiting = waiting + 1
  local sleeps = asleep
  asleep = false
  m:unlock()
  if sleeps then
    wake:send(true)
  end
  done:recv()
end

fiber.scope(function(s)
  s:spawn(barber, 2)
  s:spawn(customer)
  s:spawn(customer)
end)
