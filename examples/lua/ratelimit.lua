-- A rate limiter: a token bucket made of a channel and a fiber that sleeps.
--
--     selvage run --virtual examples/lua/ratelimit.lua
--
-- The bucket is a channel's buffer: a request takes a token out, waiting for one if
-- there is none, and a fiber adds one at a fixed rate. A full bucket drops new tokens, so
-- at most one burst can be saved.

local function limiter(per_second, burst)
  local bucket = fiber.chan(burst)
  for _ = 1, burst do
    bucket:send(true)
  end
  fiber.spawn(function()
    while true do
      fiber.sleep(1 / per_second)
      bucket:try_send(true) -- false if the bucket is full; that is all right
    end
  end)
  return bucket
end

local bucket = limiter(4, 3)

local function request(name)
  bucket:recv()
  print(("%5.2f s  %s"):format(fiber.now(), name))
end

for i = 1, 7 do
  request("request " .. i) -- three at once, then one every quarter of a second
end

fiber.sleep(9.9) -- the bucket fills up, but not beyond its three
print("after a long pause:")
for i = 8, 12 do
  request("request " .. i)
end

-- A caller that will not wait for long says so.
local ok, why = bucket:recv(0.1)
print("impatient:", ok, why)
