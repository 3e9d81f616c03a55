-- The repaired double-checked lock: the object is complete when it can be seen.

local m = fiber.mutex()
local instance

local function load()
  fiber.sleep(1)
  return "default"
end

local function get()
  if not instance then
    m:lock()
    if not instance then
      local complete = {}
      complete.name = load()
      instance = complete
    end
    m:unlock()
  end
  return instance
end

fiber.scope(function(s)
  for _ = 1, 2 do
    s:spawn(function()
      assert(get().name, "the object is not complete")
    end)
  end
end)
