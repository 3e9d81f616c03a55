-- Eight coroutines that do nothing but yield, resumed in turn, together as often as the argument says.
local each = tonumber((...)) / 8
local resume, yield = coroutine.resume, coroutine.yield
local coroutines = {}
for i = 1, 8 do coroutines[i] = coroutine.create(function() while true do yield() end end) end
for _ = 1, each do
  for i = 1, 8 do resume(coroutines[i]) end
end
