-- Builds strings piece by piece, as often as the argument says.
local function build()
  local t = {}
  for i = 1, 3000 do
    t[#t + 1] = "item" .. i .. ";"
    if #t >= 100 then t = {table.concat(t):sub(1, 50)} end
  end
  local s = ""
  for i = 1, 500 do s = s .. string.char(65 + i % 26) end
  return #s
end
for _ = 1, tonumber((...)) do build() end
