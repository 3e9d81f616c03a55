-- The repaired dining philosophers: the last one takes the forks in the other order.

local philosophers, forks = 3, {}
for i = 1, philosophers do
  forks[i] = fiber.mutex()
end

local function dine(first, second)
  forks[first]:lock()
  forks[second]:lock()
  forks[second]:unlock()
  forks[first]:unlock()
end

fiber.scope(function(s)
  for i = 1, philosophers do
    local left, right = i, i % philosophers + 1
    s:spawn(dine, math.min(left, right), math.max(left, right))
  end
end)
