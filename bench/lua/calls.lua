local n = tonumber((...))
local length = 0
for i = 1, n do
  length = length + pad("x", i % 7)
end
return length
