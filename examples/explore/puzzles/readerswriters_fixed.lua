-- The repaired readers and writers: to come, to count and to take the room are one critical section.

local m, room = fiber.mutex(), fiber.chan(1)
local readers = 0

local function read()
  m:lock()
  readers = readers + 1
  if readers == 1 then
    room:send(true)
  end
  m:unlock()
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
