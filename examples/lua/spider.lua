-- A crawler of a web site: it reads every page once, a few at a time, and reports broken
-- links. The site is a server in the same program.
--
--     selvage run examples/lua/spider.lua
--     selvage run examples/lua/spider.lua http://localhost:8000/      (another site)
--
-- It needs real time. A semaphore bounds how many pages are read at once; a scope knows when
-- all of them have been, since reading one may start the reading of others.

local AT_ONCE, TIMEOUT = 5, 10

-- A site of a hundred pages: each links to some others, and one to a page that is not there.
local function site()
  return http.serve("127.0.0.1:0", function(request)
    local n = tonumber(request.path:match("^/page/(%d+)$") or request.path == "/" and 0 or -1)
    if n < 0 or n >= 100 then return { status = 404, body = "no such page" } end
    fiber.sleep(0.001)
    local links = {}
    for _, to in ipairs{ 2 * n + 1, 2 * n + 2, n % 7 } do
      if to < 100 or n == 70 then links[#links + 1] = ('<a href="/page/%d">'):format(to) end
    end
    return table.concat(links, "\n")
  end)
end

local server = not arg[1] and site()
local start = arg[1] or "http://" .. server:addr() .. "/"
local root = start:match("^https?://[^/]+")

local terminal = os.execute("test -t 2") == 0
local function progress(read, known)
  if terminal and fiber.now() > 1 then
    io.stderr:write(("\r\27[K%d of %d pages that are known"):format(read, known))
  end
end

-- The shared state. A fiber may be preempted anywhere, so they write it one at a time.
local books = fiber.mutex()
local seen, known, read, most, busy, broken = {}, 0, 0, 0, 0, {}
local permits = fiber.semaphore(AT_ONCE)

-- The first fiber that asks for a page reads it.
local function claim(url)
  return books:with(function()
    if seen[url] then return false end
    seen[url], known = true, known + 1
    return true
  end)
end

local function fetch(url)
  books:with(function()
    busy = busy + 1
    most = math.max(most, busy)
  end)
  local ok, page, why = pcall(http.get, url, TIMEOUT)
  books:with(function() busy = busy - 1 end)
  if not ok then return { status = page } end
  return page or { status = why }
end

fiber.scope(function(scope)
  local function visit(url, from)
    if not claim(url) then return end
    scope:spawn(function()
      local page = permits:with(fetch, url)
      books:with(function()
        read = read + 1
        if page.status ~= 200 then
          broken[#broken + 1] = ("%s: %s (from %s)"):format(url:sub(#root + 1), page.status, from:sub(#root + 1))
        end
      end)
      progress(read, known)
      if page.status ~= 200 then return end
      for link in page.body:gmatch('href="(/[^"#]*)"') do visit(root .. link, url) end
    end)
  end
  visit(start, start)
end)

if terminal then io.stderr:write("\r\27[K") end
if server then server:close() end
table.sort(broken)
print(("%d pages, never more than %d at once, %d broken links"):format(read - #broken, AT_ONCE, #broken))
assert(most <= AT_ONCE)
for _, line in ipairs(broken) do print(line) end
