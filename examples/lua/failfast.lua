-- Fetch all the parts of a page, or give up at the first that is missing.
--
--     selvage run --virtual examples/lua/failfast.lua
--
-- A scope ends when all its fibers have ended. The first failure cancels the rest, also the
-- function that waits for parts that will never come, so that no fetch continues after the
-- call has returned.

local server = {
  ["/"] = { "header", "news", "adverts" },
  ["/old"] = { "header", "guestbook", "adverts" },
}
local took = { header = 0.2, news = 0.7, adverts = 3 } -- seconds; the guestbook is gone

local function fetch(part)
  fiber.sleep(took[part] or 0.5)
  if not took[part] then error(part .. ": 404", 0) end
  return "<" .. part .. ">"
end

local function page(url, timeout)
  return fiber.scope(function(s)
    local parts = fiber.chan()
    for _, part in ipairs(server[url]) do
      s:spawn(function() parts:send(fetch(part)) end)
    end
    local html = {}
    for _ = 1, #server[url] do
      html[#html + 1] = (parts:recv()) -- in the order in which they come
    end
    return table.concat(html)
  end, { timeout = timeout, name = url })
end

local function try(url, timeout)
  local began = fiber.now()
  local ok, html, why = pcall(page, url, timeout)
  local said = not ok and "failed: " .. html or html or "gave up: " .. why
  print(("%-5s %.1f s  %s"):format(url, fiber.now() - began, said))
end

try("/") -- all of it
try("/old") -- fails before the adverts are there
try("/", 1) -- the adverts take too long

-- Whichever mirror is first: the others are cancelled.
local mirror = fiber.scope(function(s)
  for name, delay in pairs{ near = 0.1, far = 0.9 } do
    s:spawn(function() fiber.sleep(delay) return name end)
  end
end, { wait = "any" })
print("mirror", mirror, ("%.1f s in all"):format(fiber.now()))
