-- Fan-in with select: one fiber listens to several channels at once, and to the clock.
--
--     selvage run --virtual examples/lua/fanin.lua
--
-- Virtual time stands still while any fiber can run and jumps when all are waiting: the
-- program takes no time, and prints the same in every run.

-- sensor sends a reading every `interval` seconds, `count` times, and closes its channel.
local function sensor(interval, count)
  local out = fiber.chan()
  fiber.spawn(function()
    for i = 1, count do
      fiber.sleep(interval)
      out:send(i)
    end
    out:close()
  end)
  return out
end

local temperature = sensor(0.4, 5)
local pressure = sensor(1.05, 3)

local open = 2
while open > 0 do
  -- A closed channel is always ready to be received from; nil in its place removes the
  -- case, so the list of cases is made again each time.
  local cases, names = { timeout = 0.75 }, {}
  if temperature then
    cases[#cases + 1], names[#names + 1] = { temperature, "recv" }, "temperature"
  end
  if pressure then
    cases[#cases + 1], names[#names + 1] = { pressure, "recv" }, "pressure"
  end

  local which, value, ok = fiber.select(cases)
  local now = ("%.2f s"):format(fiber.now())
  if which == "timeout" then
    print(now, "quiet for 0.75 s")
  elseif ok then
    print(now, names[which], value)
  else
    print(now, names[which], "closed")
    open = open - 1
    if names[which] == "temperature" then temperature = nil else pressure = nil end
  end
end

-- `default` makes select ask without waiting.
local mailbox = fiber.chan(1)
print("mailbox:", (fiber.select{ { mailbox, "recv" }, default = true }))
mailbox:send("letter")
print("mailbox:", select(2, fiber.select{ { mailbox, "recv" }, default = true }))
