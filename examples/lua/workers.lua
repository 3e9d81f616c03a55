-- A worker pool: a fixed number of fibers takes jobs from one channel, and a mutex
-- guards what they write together.
--
--     selvage run examples/lua/workers.lua
--
-- Which worker gets which job depends on timing; the sum does not.

local WORKERS, JOBS = 4, 200

-- How many steps the Collatz sequence of n takes to reach 1: some real work.
local function steps(n)
  local count = 0
  while n ~= 1 do
    if n % 2 == 0 then n = n / 2 else n = 3 * n + 1 end
    count = count + 1
  end
  return count
end

local jobs = fiber.chan(8) -- a buffer, so that the main program can be a little ahead
local mutex = fiber.mutex()
local total, longest, longest_n, done = 0, 0, 0, 0

-- A fiber can be preempted between any two instructions, at the end of its time slice.
-- `total = total + n` reads and writes: without the mutex another fiber could write in
-- between, and an addition would be lost.
local function record(n, count)
  total = total + count
  done = done + 1
  if count > longest or count == longest and n < longest_n then
    longest, longest_n = count, n
  end
end

local pool = {}
for i = 1, WORKERS do
  pool[i] = fiber.spawn(function()
    local mine = 0
    for n in jobs:iter() do
      local count = steps(n)
      mutex:with(record, n, count) -- locks, calls, and unlocks also if the call fails
      mine = mine + 1
    end
    return mine -- what join returns
  end)
  pool[i]:name("worker " .. i)
end

for n = 1, JOBS do
  jobs:send(n)
end
jobs:close() -- the workers' loops end when the channel is closed and empty

local handled = 0
for _, worker in ipairs(pool) do
  local _, mine = worker:join()
  handled = handled + mine
end

print(("%d workers handled %d jobs, %d recorded"):format(WORKERS, handled, done))
print(("all sequences together: %d steps"):format(total))
print(("the longest: %d steps, from %d"):format(longest, longest_n))
