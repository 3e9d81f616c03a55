-- The repaired check, then act: to look and to close are one critical section.

local m, stop = fiber.mutex(), fiber.chan()

local function stopped()
  local _, open = stop:try_recv()
  return open == false
end

local function close()
  if not stopped() then
    stop:close()
  end
end

fiber.scope(function(s)
  s:spawn(m.with, m, close)
  s:spawn(m.with, m, close)
end)
