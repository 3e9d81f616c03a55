-- A barrier that is used again: the last fiber to arrive sends a token for each. It takes its own, comes to
-- the next round, and takes there that of the other fiber, which has not come to take it.
-- Finding: deadlock

local parties = 2
local m, tokens = fiber.mutex(), fiber.chan(parties)
local arrived = 0

local function wait()
  m:lock()
  local mine = tokens
  arrived = arrived + 1
  if arrived == parties then
    arrived = 0
    for _ = 1, parties do
      mine:send(true)
    end
  end
  m:unlock()
  mine:recv()
end

fiber.scope(function(s)
  for _ = 1, parties do
    s:spawn(function()
      wait()
      wait()
    end)
  end
end)
