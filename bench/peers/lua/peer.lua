-- The peer of bench for Lua 5.4 and LuaJIT: lua peer.lua WORK N does the work N times and
-- prints what one time took. Lua has coroutines and no scheduler, so this is the shortest
-- scheduler with channels that one would write. Only the processor's time can be read.
local create, resume, yield = coroutine.create, coroutine.resume, coroutine.yield

-- The ready queue: one list runs while the next one fills, so that both stay arrays.
local ready, waiting = {}, 0

local function wake(co)
  waiting = waiting + 1
  ready[waiting] = co
end

local function run()
  local batch = {}
  while waiting > 0 do
    local size = waiting
    batch, ready, waiting = ready, batch, 0
    for i = 1, size do
      local co = batch[i]
      batch[i] = false -- or it would be kept from the collector
      local ok, message = resume(co)
      if not ok then error(message) end
    end
  end
end

local function spawn(body)
  local co = create(body)
  wake(co)
end

-- A channel without a buffer has at most one coroutine waiting here: a receiver, or a
-- sender with its value.
local running = coroutine.running

local function send(ch, value)
  local receiver = ch.receiver
  ch.value = value
  if receiver then
    ch.receiver = nil
    wake(receiver)
  else
    ch.sender = running()
    yield()
  end
end

local function receive(ch)
  local sender = ch.sender
  if sender then
    ch.sender = nil
    wake(sender)
  else
    ch.receiver = running()
    yield()
  end
  return ch.value
end

local works = {}

-- Coroutines that do nothing but yield, resumed in turn: nothing a queue would add.
local function switch(crowd)
  return function(n)
    local all = {}
    for i = 1, crowd do all[i] = create(function() while true do yield() end end) end
    for _ = 1, n / crowd do
      for i = 1, crowd do resume(all[i]) end
    end
  end
end

-- A ball makes n hops around a ring of players.
local function ring(players)
  return function(n)
    local chans = {}
    for i = 1, players do chans[i] = {} end
    local hops = 0
    for i = 1, players do
      local from, to = chans[i], chans[i % players + 1]
      spawn(function()
        if i == 1 then send(to, 1) end
        while true do
          hops = receive(from)
          if hops >= n then return end
          send(to, hops + 1)
        end
      end)
    end
    run()
    assert(hops == n, "the ball is lost")
  end
end

works["yield-8"], works["yield-1000"] = switch(8), switch(1000)
works["ping-pong"], works["ring-503"] = ring(2), ring(503)

-- All are there before the first of them runs.
works["spawn-join"] = function(n)
  local ended = 0
  for _ = 1, n do spawn(function() ended = ended + 1 end) end
  run()
  assert(ended == n, "coroutines are lost")
end

-- A tree with n leaves, ten to a parent. A parent's sum is its children's; the last of them
-- passes it on.
local function add(parent, sum)
  while parent do
    sum = parent.sum + sum
    parent.sum, parent.missing = sum, parent.missing - 1
    if parent.missing > 0 then return end
    parent = parent.up
  end
end

local function sky(up, low, size)
  if size == 1 then return add(up, low) end
  local parent, part = { up = up, sum = 0, missing = 10 }, size / 10
  for i = 0, 9 do
    spawn(function() sky(parent, low + i * part, part) end)
  end
end

works["skynet"] = function(n)
  local total = { sum = 0, missing = 1 }
  spawn(function() sky(total, 0, n) end)
  run()
  assert(total.sum == n * (n - 1) / 2, "the wrong sum")
end

local work, n = arg[1], tonumber(arg[2])
local start = os.clock()
works[work](n)
local ns = (os.clock() - start) * 1e9 / n
print(string.format('{"id":"%s","operations":%.0f,"ns":%.3f}', work, n, ns))
