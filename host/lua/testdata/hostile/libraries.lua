-- Calls target, which is a function of a library or a method of a kind of objects, with the values,
-- with objects of the libraries, and with tables of options. Each call is a fiber of its own, which
-- is cancelled after so many turns.
local path, kind, seed, rounds, turns = ...
local target, report, fiber, net, http = target, report, fiber, net, http
local spawn, yield, random_cause, max = fiber.spawn, fiber.yield, "no more turns", math.max
local match = string.match

local function next_random(n)
  seed = (seed * 16807) % 2147483647
  return seed % n + 1
end

-- makers make an object of each kind, to call its methods.
local ready = {}
local function server()
  if not ready.server then
    local replies = fiber.chan()
    ready.replies = replies
    ready.server = http.serve("127.0.0.1:0", function(_, reply)
      replies:send(reply)
      fiber.sleep(1e9)
    end, { stream = true })
    ready.answering = http.serve("127.0.0.1:0", function() return "answer\n" end)
  end
  return "http://" .. ready.server:addr() .. "/", "http://" .. ready.answering:addr() .. "/"
end
local makers = {
  ["fiber.chan"] = function() return fiber.chan(next_random(3) - 1) end,
  ["fiber.mutex"] = function() return fiber.mutex() end,
  ["fiber.rwmutex"] = function() return fiber.rwmutex() end,
  ["fiber.semaphore"] = function() return fiber.semaphore(2) end,
  ["fiber.cond"] = function() return fiber.cond(fiber.mutex()) end,
  ["fiber.once"] = function() return fiber.once() end,
  ["fiber.timer"] = function() return fiber.timer(1e9) end,
  ["fiber.group"] = function() return fiber.group() end,
  ["fiber.task"] = function() return spawn(function() return 1, "two" end) end,
  ["fiber.scope"] = function()
    local ch = fiber.chan()
    spawn(fiber.scope, function(s) ch:send(s) fiber.sleep(1e9) end)
    return (ch:recv())
  end,
  ["fiber.island"] = function()
    ready.island = ready.island or fiber.island("other")
    return ready.island
  end,
  ["fiber.port"] = function() return fiber.port(4) end,
  ["fiber.sender"] = function()
    ready.island = ready.island or fiber.island("other")
    local p = fiber.port()
    ready.island:spawn(function(out)
      local own = _G.fiber.port(4) -- not the local variable of this program
      out:send(own)
      own:recv()
    end, p)
    return (p:recv())
  end,
  ["net.listener"] = function() return net.listen("127.0.0.1:0") end,
  ["net.conn"] = function()
    local l = net.listen("127.0.0.1:0")
    local c = net.dial(l:addr())
    local peer = l:accept()
    peer:write("a line\n")
    l:close()
    return c
  end,
  ["http.server"] = function() return http.serve("127.0.0.1:0", function() return "" end) end,
  ["http.body"] = function()
    local _, url = server()
    return http.get(url, { stream = true }).body
  end,
  ["http.reply"] = function()
    spawn(pcall, http.get, (server()))
    return (ready.replies:recv())
  end,
  ["FILE*"] = function() return io.tmpfile() end,
}

local objects = {}
for name, make in pairs(makers) do
  local ok, object = pcall(make)
  if ok then objects[#objects + 1] = object end
  if not ok and name == kind then return report(path, object, "to make a " .. kind) end
end
if kind ~= "" then assert(makers[kind], "no way to make a " .. kind) end

local addresses = { "127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:99999", "127.0.0.1:-1", "[::1", ":x", "http://127.0.0.1:1/", "http://[::1", "http://a b/", "://", "http://127.0.0.1:99999/", "ftp://127.0.0.1/", "http://%/" }
local names = { "timeout", "url", "method", "body", "headers", "stream", "tls", "cert", "key", "name", "ca", "wait", "rest", "owner_death", "default", "stdin", "dir",
  "env", "linger", "max_connections", "max_body", "max_bodies", "min_rate", "idle_timeout", "status" }
local cyclic = {}
cyclic[1], cyclic.self = cyclic, cyclic
local hostile = { cyclic, { fiber.chan(), "recv" }, { { fiber.chan(), "recv" }, { false, "send" } }, { ["a b"] = "\n" }, { ["\r\n"] = "\0" }, { { {} } }, { "true" }, { "\0" } }

-- argument is a random one.
local function argument()
  local from = next_random(10)
  if from <= 5 then return values[next_random(count + 1)] end
  if from == 6 then return objects[next_random(#objects)] end
  if from == 7 then return addresses[next_random(#addresses)] end
  if from == 8 then return hostile[next_random(#hostile)] end
  local options = from == 9 and { argument() } or {}
  for _ = 1, next_random(3) do options[names[next_random(#names)]] = argument() end
  return options
end

-- check reports the texts of an answer, and calls what it returned once.
local answers, called_with = 0, ""
local function check(with, ok, ...)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if i > 20 then break end
    if type(v) == "string" then
      report(path, v, with)
    elseif type(v) == "function" and ok and v ~= target then
      report(path, tostring(select(2, pcall(v, values[next_random(count)]))), with .. ", and its result called")
    elseif type(v) == "userdata" then
      report(path, tostring(v), with)
    end
  end
end

local unresolved = path == "net.lookup" -- a name that could be one of the network is made invalid
local function try(...)
  local args, n = { ... }, select("#", ...)
  if unresolved and type(args[1]) == "string" and match(args[1], "^[%w-]+$") then args[1] = args[1] .. ".." end
  local with = shown(unpack(args, 1, n))
  local task = spawn(function() check(with, pcall(target, unpack(args, 1, n))) end)
  for _ = 1, turns do
    if task:status() == "dead" then break end
    yield()
  end
  task:cancel(random_cause)
  local ok, e = task:join()
  if not ok then report(path, tostring(e), with) end
  answers = answers + 1
end

-- receivers are the arguments in front of the others: an object, if the target is a method.
local object
local function receiver()
  if kind == "" then return end
  if answers % 8 == 0 or not object then
    local ok, new = pcall(makers[kind])
    if ok then object = new end
  end
  return object
end
local function on(...)
  local self = receiver()
  if self then return try(self, ...) end
  return try(...)
end

try()
on()
for i = 1, count do
  try(values[i])
  on(values[i])
  on("abc", values[i])
end
for i = 1, #addresses do
  on(addresses[i])
  on(addresses[i], function() end)
end
for _ = 1, rounds do
  local args, n = {}, next_random(4)
  for i = 1, n do args[i] = argument() end
  if next_random(4) == 1 then args[1] = addresses[next_random(#addresses)] end
  on(unpack(args, 1, n))
end
report(path, "calls: " .. answers, "")
