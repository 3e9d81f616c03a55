-- Producers and consumers around a bounded buffer: back-pressure, closing, and several
-- producers that must all have ended before the channel may be closed.
--
--     selvage run --virtual examples/lua/producer.lua

local queue = fiber.chan(2) -- room for two; a third send waits

-- One producer, faster than its consumer: it gets ahead by the size of the buffer at most.
local sent_at = {}
local producer = fiber.spawn(function()
  for i = 1, 5 do
    fiber.sleep(0.1) -- what it takes to make one
    queue:send("item " .. i)
    sent_at[i] = fiber.now()
  end
  queue:close() -- the sender closes: it knows that nothing more will come
end)

fiber.sleep(1)
for item in queue:iter() do -- ends when the queue is closed and empty
  print(("%.1f s  got %s, %d of %d left in the buffer"):format(fiber.now(), item, #queue, queue:cap()))
  fiber.sleep(1) -- what it takes to use one up
end
producer:join()
for i, at in ipairs(sent_at) do
  print(("item %d could be sent at %.1f s"):format(i, at))
end

-- A closed channel: receiving goes on until it is empty, then gives nil, false; sending
-- is an error.
print("receive:", queue:recv())
print("send:", pcall(queue.send, queue, "too late"))

-- nil is a value like any other, but it ends a for loop; recv tells the two apart.
local odd = fiber.chan(3)
odd:send(nil)
odd:close()
print("a nil that was sent:", odd:recv())
print("the end:", odd:recv())

-- Several producers: none of them may close, since another may still send. The fiber that
-- has started them waits for all and closes.
local sums, producers = fiber.chan(), {}
for p = 1, 3 do
  producers[p] = fiber.spawn(function()
    for i = 1, 4 do
      sums:send(p * i)
    end
  end)
end
fiber.spawn(function()
  for _, p in ipairs(producers) do p:join() end
  sums:close()
end)

local n, sum = 0, 0
for v in sums:iter() do
  n, sum = n + 1, sum + v
end
print(n .. " values, sum " .. sum)
