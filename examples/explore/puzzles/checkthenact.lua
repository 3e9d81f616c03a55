-- Check, then act: two fibers stop a service. Both find that its channel is open, and both close it.
-- Finding: failure

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
  s:spawn(close)
  s:spawn(close)
end)
