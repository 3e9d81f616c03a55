-- Double-checked lock: the object can be seen by a look without the lock before its fields are set.
-- Finding: failure

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
      instance = {}
      instance.name = load()
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
