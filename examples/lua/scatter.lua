-- Scatter and gather: ask many servers at the same time, wait for all, and distinguish the
-- answers from the failures.
--
--     selvage run --virtual examples/lua/scatter.lua
--
-- An error ends only the fiber in which it is raised. A join of that fiber returns false and
-- the error value, as pcall does: a string, or the value that was raised.

-- What each server is like: its answer, and the seconds it takes.
local servers = {
  { name = "alpha", delay = 0.30, answer = 11 },
  { name = "beta", delay = 0.10, answer = 7 },
  { name = "gamma", delay = 0.20, fails = { code = 503, text = "overloaded" } },
  { name = "delta", delay = 0.15, answer = nil }, -- a bug: see ask
  { name = "epsilon", delay = 9.00, answer = 1 },
}

local function ask(server)
  fiber.sleep(server.delay) -- stands for the network
  if server.fails then
    error(server.fails) -- any value can be an error
  end
  return server.answer * 2 -- fails by itself if there is no answer
end

local function describe(err)
  if type(err) == "table" then
    return ("%d %s"):format(err.code, err.text)
  end
  return err
end

-- Scatter.
local tasks = {}
for i, server in ipairs(servers) do
  tasks[i] = fiber.spawn(ask, server)
  tasks[i]:name(server.name)
end

-- Gather, all with the same deadline. All have been running since the scatter, so
-- together they take as long as the slowest.
local deadline, sum = 1, 0
for i, task in ipairs(tasks) do
  local ok, result = task:join(math.max(0, deadline - fiber.now()))
  if ok then
    sum = sum + result
    print(task:name(), "answered", result)
  elseif ok == false then
    print(task:name(), "failed:", describe(result))
  else
    task:cancel() -- its answer is not needed any more
    print(task:name(), "gave no answer in time")
  end
end
print(("sum %d after %.1f s"):format(sum, fiber.now()))

-- The first answer wins: every fiber sends to the same channel, which has room for all,
-- so that late fibers do not wait without end.
local function first(calls)
  local answers, racers = fiber.chan(#calls), {}
  for i, call in ipairs(calls) do
    racers[i] = fiber.spawn(function()
      answers:send{ pcall(call) }
    end)
  end
  local winner = answers:recv()
  for _, racer in ipairs(racers) do
    racer:cancel("somebody was faster")
  end
  return unpack(winner)
end

print("first:", first{
  function() fiber.sleep(0.3) return "the hare" end,
  function() fiber.sleep(0.2) return "the tortoise" end,
})
