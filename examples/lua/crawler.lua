-- A crawler of a small, imaginary web: it visits every page once, a few at a time, and
-- knows when there is nothing left to do.
--
--     selvage run --virtual examples/lua/crawler.lua
--
-- One fiber (here the main program) owns the state, so it needs no lock. Other fibers fetch:
-- they get their work from one channel and answer on another.

local web = {
  ["/"] = { "/docs", "/blog", "/about" },
  ["/docs"] = { "/", "/docs/lua", "/docs/go" },
  ["/docs/lua"] = { "/docs", "/docs/go" },
  ["/docs/go"] = { "/docs", "/missing" },
  ["/blog"] = { "/blog/1", "/blog/2", "/blog/3" },
  ["/blog/1"] = { "/blog" },
  ["/blog/2"] = { "/blog", "/blog/1" },
  ["/blog/3"] = { "/blog", "/blog/2" },
  ["/about"] = { "/" },
}

local FETCHERS = 3

local function fetch(url)
  fiber.sleep(0.1 + #url / 100) -- long names take longer here
  local links = web[url]
  if not links then error("404", 0) end
  return links
end

local todo, found = fiber.chan(), fiber.chan()
for _ = 1, FETCHERS do
  fiber.spawn(function()
    for url in todo:iter() do
      local ok, links = pcall(fetch, url)
      found:send{ url = url, ok = ok, links = ok and links or {}, err = not ok and links }
    end
  end)
end

local waiting, seen, busy, broken = { "/" }, { ["/"] = true }, 0, {}
local pages = 0

while #waiting > 0 or busy > 0 do
  -- Hand out work only if there is some; take results in any case.
  local cases = { { found, "recv" } }
  if #waiting > 0 then
    cases[2] = { todo, "send", waiting[1] }
  end
  local which, result = fiber.select(cases)
  if which == 2 then
    table.remove(waiting, 1)
    busy = busy + 1
  else
    busy = busy - 1
    if result.ok then
      pages = pages + 1
    else
      broken[#broken + 1] = result.url .. ": " .. result.err
    end
    for _, link in ipairs(result.links) do
      if not seen[link] then
        seen[link] = true
        waiting[#waiting + 1] = link
      end
    end
  end
end
todo:close()

print(pages .. " pages, " .. #broken .. " broken links")
for _, line in ipairs(broken) do print(line) end
print(("%.2f s with %d fetchers"):format(fiber.now(), FETCHERS))
