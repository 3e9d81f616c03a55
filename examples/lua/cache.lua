-- A cache with many readers and few writers: an rwmutex admits the readers together, and
-- each entry is loaded once, however many fibers ask for it at the same time.
--
--     selvage run --virtual examples/lua/cache.lua
--
-- A waiting writer comes before readers that arrive later, so a stream of readers cannot
-- starve it.

-- note adds a line to the log of what happens under the lock of the cache. The log has a lock of its own,
-- because readers share that of the cache.
local log, lines = {}, fiber.mutex()
local function note(text) lines:with(function() table.insert(log, text) end) end

local Cache = {}
Cache.__index = Cache

function Cache.new(load)
  return setmetatable({ load = load, entries = {}, lock = fiber.rwmutex(), loads = 0 }, Cache)
end

-- entry is the place for a key. Most calls find it. A call that does not checks again with the
-- write lock, because another fiber may have made the entry between the two locks, and makes it.
function Cache:entry(key)
  local entry = self.lock:rwith(function() return self.entries[key] end)
  return entry or self.lock:with(function()
    self.entries[key] = self.entries[key] or { once = fiber.once() }
    return self.entries[key]
  end)
end

-- get waits, at most for the timeout, while another fiber loads the value. If the load fails,
-- the next waiting fiber tries.
function Cache:get(key, timeout)
  local entry = self:entry(key)
  local done, why = entry.once:run(function()
    self.lock:with(function() self.loads = self.loads + 1 end)
    entry.value = self.load(key)
  end, timeout)
  return done and entry.value, why
end

-- clear waits until no reader is inside, and then has the table for itself.
function Cache:clear()
  self.lock:with(function()
    self.entries = {}
    note("cleared")
  end)
end

local attempts = 0
local cache = Cache.new(function(key)
  attempts = attempts + 1
  fiber.sleep(1) -- from a slow disk
  if attempts == 2 then error("the disk hiccups", 0) end
  return key:upper()
end)

local function ask(name, key, timeout)
  return fiber.spawn(function()
    local ok, value, why = pcall(cache.get, cache, key, timeout)
    return ("%s: %s after %.1f s"):format(name, ok and (value or why) or "error: " .. value, fiber.now())
  end)
end

local function tell(tasks)
  for _, task in ipairs(tasks) do print(select(2, task:join())) end
end

-- Five fibers ask for the same key: one loads it, one has a short timeout.
tell{ ask("ann", "apple"), ask("ben", "apple"), ask("cat", "apple", 0.5), ask("dan", "apple"), ask("eve", "apple") }
print("loads:", cache.loads)

-- The second load fails: the fiber that tried gets the error, and the next one tries again.
tell{ ask("ann", "pear"), ask("ben", "pear"), ask("cat", "pear") }
print("loads:", cache.loads)

tell{ ask("dan", "apple"), ask("eve", "pear") }
cache:clear()
tell{ ask("dan", "apple") }
print("loads:", cache.loads)

-- Readers share the lock; clear goes before the readers that come after it.
local tasks = {}
log = {}
local function reader(name)
  return function()
    cache.lock:rwith(function() note("+" .. name); fiber.sleep(1); note("-" .. name) end)
  end
end
local function clear() cache:clear() end
for i, f in ipairs{ reader("r1"), reader("r2"), clear, reader("r3") } do
  tasks[i] = fiber.spawn(f)
  fiber.sleep(0.125)
end
for _, task in ipairs(tasks) do task:join() end
print(table.concat(log, " "))
