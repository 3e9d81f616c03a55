-- Ping-pong: two fibers hand a ball to and fro over unbuffered channels.
--
--     selvage run examples/lua/pingpong.lua [rounds]
--
-- A send on an unbuffered channel waits for the receiver, so the two always take turns.

local rounds = tonumber((...)) or 10000

local ping, pong = fiber.chan(), fiber.chan()

local player = fiber.spawn(function()
  local hits = 0
  for ball in ping:iter() do
    hits = hits + 1
    pong:send(ball + 1)
  end
  return hits
end)

local ball = 0
for _ = 1, rounds do
  ping:send(ball)
  ball = pong:recv()
end
ping:close()

local ok, hits = player:join()
print("the other player ended well:", ok)
print("it hit the ball " .. hits .. " times")
print("the ball was counted up to " .. ball)
print("nothing is left in the air:", #ping, #pong)
