-- The repaired barrier: each round has tokens of its own.

local parties = 2
local m, tokens = fiber.mutex(), fiber.chan(parties)
local arrived = 0

local function wait()
  m:lock()
  local mine = tokens
  arrived = arrived + 1
  if arrived == parties then
    arrived, tokens = 0, fiber.chan(parties)
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
