-- The effects of errors.
--
--     selvage run examples/lua/failure.lua
--
-- An error ends only the fiber in which it is raised. A fiber that joins that fiber gets the
-- error. If none does, it is reported on stderr at the end of the run, with its traceback,
-- and the exit status is 1: no failure is lost.

local function parse(text)
  local n = tonumber(text)
  if not n then
    error("not a number: " .. text)
  end
  return n
end

-- Joined: the failure is a value.
local joined = fiber.spawn(function() return parse("12") + parse("x") end)
print("joined:", joined:join())

-- A worker that outlives the failures of its jobs catches them itself.
local results = fiber.chan(4)
local worker = fiber.spawn(function()
  for _, text in ipairs{ "1", "2", "three", "4" } do
    local ok, n = pcall(parse, text)
    results:send(ok and n or 0)
  end
  results:close()
end)
local sum = 0
for n in results:iter() do sum = sum + n end
worker:join()
print("the sum of what could be read:", sum)

-- Not joined: the others continue, and the failure is reported at the end.
local unnoticed = fiber.spawn(function()
  local answer = parse("forty-two")
  print("never printed", answer)
end)
unnoticed:name("the unnoticed one")
while unnoticed:status() ~= "dead" do
  fiber.yield()
end
print("the main program ends well")
