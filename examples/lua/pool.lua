-- A worker pool without workers: each job is a fiber, and a semaphore limits how many work
-- at once. A group waits for all of them, and cancels the rest if one fails.
--
--     selvage run --virtual examples/lua/pool.lua
--
-- Fibers get permits in the order of their arrival, so the jobs start in order. Some
-- are larger than others and need two permits.

local LIMIT = 3

local function pool(jobs)
  local permits = fiber.semaphore(LIMIT)
  local group = fiber.group{ wait = "first_error", rest = "cancel" }
  for _, job in ipairs(jobs) do
    group:spawn(function()
      local size = job.size or 1
      permits:acquire(size)
      fiber.sleep(job.seconds)
      if job.fails then
        error(job.name .. " is broken", 0) -- its permits go back by themselves
      end
      print(("%4.1f s  %s"):format(fiber.now(), job.name))
      permits:release(size)
    end):name(job.name)
  end
  local ok, err, task = group:wait()
  if ok then
    print(("%4.1f s  all done"):format(fiber.now()))
  else
    print(("%4.1f s  %s failed: %s"):format(fiber.now(), task:name(), err))
  end
  assert(permits:try_acquire(LIMIT)) -- no permit is missing
end

pool{
  { name = "sweep", seconds = 2 },
  { name = "wash", seconds = 1.5 },
  { name = "iron", seconds = 2.8 },
  { name = "paint the wall", seconds = 1, size = 2 },
  { name = "dust", seconds = 0.5 },
  { name = "cook", seconds = 1 },
}

pool{
  { name = "water the flowers", seconds = 0.5 },
  { name = "mow the lawn", seconds = 4 },
  { name = "trim the hedge", seconds = 1, fails = true },
  { name = "rake the leaves", seconds = 2 },
  { name = "clean the pool", seconds = 5 },
}
