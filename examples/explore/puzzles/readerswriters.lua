-- Readers and writers: the first reader takes the room for all, and the last one leaves it. To come and to ask
-- for the number of readers are two steps: of two readers both may take the room, or neither.
-- Finding: deadlock

local m, room = fiber.mutex(), fiber.chan(1)
local readers = 0

local function count() return readers end

local function read()
  m:lock()
  readers = readers + 1
  m:unlock()
  if m:with(count) == 1 then
    room:send(true)
  end
  m:lock()
  readers = readers - 1
  if readers == 0 then
    room:recv()
  end
  m:unlock()
end

fiber.scope(function(s)
  s:spawn(read)
  s:spawn(read)
  s:spawn(function() -- a writer
    room:send(true)
    room:recv()
  end)
end)
