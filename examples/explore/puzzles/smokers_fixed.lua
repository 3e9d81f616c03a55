-- The repaired cigarette smokers: each takes both ingredients or none.

local m, smoked = fiber.mutex(), fiber.chan()
local changed = fiber.cond(m)
local has = {}

local function put(ingredient)
  m:lock()
  has[ingredient] = true
  changed:broadcast()
  m:unlock()
end

local function smoke(a, b)
  m:lock()
  while not (has[a] and has[b]) do
    changed:wait()
  end
  has[a], has[b] = false, false
  m:unlock()
  smoked:send(true)
end

local pairs = { { "tobacco", "paper" }, { "paper", "match" }, { "match", "tobacco" } }
for _, p in ipairs(pairs) do
  fiber.spawn(smoke, p[1], p[2])
end
for _, p in ipairs(pairs) do
  put(p[1])
  put(p[2])
  smoked:recv()
end
