-- Eight fibers that do nothing but let the others run, together as often as the argument says.
local each = tonumber((...)) / 8
local fibers = {}
for i = 1, 8 do
  fibers[i] = fiber.spawn(function() local yield = fiber.yield for _ = 1, each do yield() end end)
end
for _, f in ipairs(fibers) do f:join() end
