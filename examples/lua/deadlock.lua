-- A deadlock and its report. The program ends with status 3 and a report on stderr: each
-- blocked fiber, the line it has reached, what it waits on, what could wake it, and the
-- cycle.
--
--     selvage run examples/lua/deadlock.lua
--
-- Three philosophers sit around a table with three forks. Each takes the fork on the
-- left, then the one on the right. When all have taken their left one, none can continue.
-- The solution is an order: if each takes the fork with the lower number first, the last
-- one waits before it holds a fork, and there can be no cycle.

local N = 3
local forks, seated = {}, fiber.chan(N)
for i = 1, N do
  forks[i] = fiber.mutex()
end

local function philosopher(i)
  local left, right = forks[i], forks[i % N + 1]
  left:lock()
  seated:send(i)
  while #seated < N do
    fiber.yield() -- so that each gets the first fork
  end
  right:lock() -- and here it ends
  print("philosopher " .. i .. " eats")
  right:unlock()
  left:unlock()
end

local tasks = {}
for i = 1, N do
  tasks[i] = fiber.spawn(philosopher, i)
  tasks[i]:name("philosopher " .. i)
end

print("dinner is served")
for i = 1, N do
  tasks[i]:join()
end
print("never printed")
