-- Timeouts and cancellation.
--
--     selvage run --virtual examples/lua/timeouts.lua
--
-- Every call that waits takes a timeout in seconds, and returns nil, "timeout" when it has
-- expired. A timeout ends only the wait; to end the work as well, cancel it.

local function say(...)
  print(("%4.1f s"):format(fiber.now()), ...)
end

local function slow(seconds, answer)
  return fiber.spawn(function()
    fiber.sleep(seconds)
    return answer
  end)
end

-- Waiting for a fiber.
local task = slow(2, "done at last")
say("after half a second:", task:join(0.5))
say("it is still", task:status())
say("with more patience:", task:join(5))

-- Waiting for a value, and for a receiver.
local ch = fiber.chan()
say("nobody sends:", ch:recv(1))
say("nobody takes:", ch:send("hello", 1))

-- Waiting for a lock.
local mutex = fiber.mutex()
local owner = fiber.spawn(function()
  mutex:with(fiber.sleep, 3)
end)
fiber.sleep(0.5) -- let it begin
say("the lock is taken:", mutex:lock(1))
say("then it is free:", mutex:lock(5))
mutex:unlock()

-- Ending the work as well: a deadline for a whole call.
local function within(seconds, f, ...)
  local work = fiber.spawn(f, ...)
  local result = { work:join(seconds) }
  if result[1] == nil then
    work:cancel("took longer than " .. seconds .. " s")
    return work:join() -- false and the reason
  end
  return unpack(result)
end

say("in time:", within(2, function(a, b) fiber.sleep(1) return a + b end, 20, 22))
say("too late:", within(2, function() fiber.sleep(1000) say("never said") end))

-- A cancelled fiber ends at the call it waits in. Nothing in it can stop that, pcall
-- neither: it does not see the cancel as an error.
local stubborn = fiber.spawn(function()
  while true do
    pcall(fiber.sleep, 1)
  end
end)
fiber.sleep(3)
stubborn:cancel("enough")
say("stubborn:", stubborn:join())
say("and now it is", stubborn:status())
