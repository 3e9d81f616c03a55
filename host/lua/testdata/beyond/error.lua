-- The levels of error, and its value.
local function check(x)
  if not x then error("level 2", 2) end
end
local function deeper() error("level 3", 3) end
local function middle()
  deeper() return 1
end
print(pcall(function()
  check(true)
  check(false)
end))
print(pcall(function()
  middle()
end))
print(pcall(error)) print(pcall(error, nil)) print(select("#", pcall(error)))
print(pcall(function() error() end)) print(pcall(function() error("none", 0) end))
print(pcall(function() error("below", -1) end)) print(pcall(function() error("far", 1000) end))
print(coroutine.resume(coroutine.create(function() error("no caller", 2) end)))
print(pcall(function()
  return check(false)
end))
print(pcall(function() error("x", {}) end))
print(select(2, pcall(function() error({1}, 2) end))[1])
print(xpcall(function() check(false) end, function(m) return "handled: " .. m end))
