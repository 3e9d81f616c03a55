-- Runaway loops beside fibers that do their work, and a supervisor that ends them.
--
--     selvage run examples/lua/runaway.lua
--
-- No fiber can keep the processor: at the end of its time slice (--slice N instructions) it
-- is preempted, and continues later. And no fiber can refuse to be cancelled, not even one
-- that catches every error.

local function forever()
  while true do end
end

local runaways = {
  fiber.spawn(forever),
  fiber.spawn(function() -- catches whatever can be caught, and goes on
    while true do pcall(forever) end
  end),
  fiber.spawn(function() -- loops inside a call from Go: the comparison of a sort
    table.sort({ 3, 1, 2 }, forever)
  end),
  fiber.spawn(function() -- loops in a coroutine
    coroutine.wrap(forever)()
  end),
}

-- The useful work: each fiber adds up numbers, and never yields.
local workers = {}
for i = 1, 5 do
  workers[i] = fiber.spawn(function()
    local sum = 0
    for n = 1, 1000 * i do
      sum = sum + n
    end
    return sum
  end)
end

for i, worker in ipairs(workers) do
  local _, sum = worker:join()
  print("worker " .. i .. ":", sum)
end

for i, task in ipairs(runaways) do
  local before = task:status()
  task:cancel("you had your time")
  print("runaway " .. i .. ":", before, task:join())
end
