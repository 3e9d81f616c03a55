-- An HTTP server, and a thousand clients at the same time, each with a connection that it
-- keeps for all of its requests.
--
--     selvage run examples/lua/webserver.lua
--     selvage run examples/lua/webserver.lua 5000 20      (clients, requests of each)
--
-- It needs real time. Every request is a fiber of the server, and every client is a fiber:
-- none of them delays the others, however long it waits.

local CLIENTS, REQUESTS = tonumber(arg[1]) or 1000, tonumber(arg[2]) or 2

-- The server counts visits, and answers when each expected client has come once, so that all
-- clients are connected at the same time. A fiber may be preempted anywhere, also between
-- reading a counter and writing it; the mutex excludes the others.
local books = fiber.mutex()
local visits, all_here = 0, fiber.chan()

local server = http.serve("127.0.0.1:0", function(request)
  local visit = books:with(function()
    visits = visits + 1
    if visits == CLIENTS then all_here:close() end
    return visits
  end)
  all_here:recv()
  return { body = "hello, " .. request.path:sub(2), headers = { ["X-Visit"] = visit } }
end)

-- A client speaks HTTP by itself, to show that the connection is the same.
local function ask(conn, path)
  conn:write("GET " .. path .. " HTTP/1.1\r\nHost: " .. server:addr() .. "\r\n\r\n")
  local status, size = conn:read("*l"):match(" (%d%d%d) "), "0"
  for line in conn:lines() do
    size = line:lower():match("^content%-length: (%d+)") or size
    if line == "\r" then break end
  end
  return status, conn:read(tonumber(size))
end

-- On a terminal, a run of more than a second shows its progress.
local terminal = os.execute("test -t 2") == 0
local done, started = 0, fiber.now()
local function progress()
  books:lock()
  done = done + 1
  books:unlock()
  local total, spent = CLIENTS * REQUESTS, fiber.now() - started
  if terminal and spent > 1 and (done % 100 == 0 or done == total) then
    io.stderr:write(("\r\27[K%d of %d requests, about %.0f s left"):format(done, total, spent / done * (total - done)))
    if done == total then io.stderr:write("\r\27[K") end
  end
end

local clients = fiber.group{ wait = "first_error", rest = "cancel" }
for i = 1, CLIENTS do
  clients:spawn(function()
    local conn = net.dial(server:addr())
    for j = 1, REQUESTS do
      local status, body = ask(conn, "/" .. i)
      assert(status == "200" and body == "hello, " .. i, body)
      progress()
    end
    conn:close()
  end)
end

local ok, err = clients:wait()
if not ok then error(err, 0) end
server:close()
print(("%d clients made %d requests each, and had %d answers"):format(CLIENTS, REQUESTS, done))
print(("the server was visited %d times"):format(visits))
