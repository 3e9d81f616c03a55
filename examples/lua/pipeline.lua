-- A pipeline: three fibers, each doing one step, joined by channels.
--
--     selvage run examples/lua/pipeline.lua
--
-- read -> split -> count. Every stage loops over its input until that is closed,
-- and then closes its own output, so that the end passes down the pipeline.

local text = {
  "the quick brown fox jumps over the lazy dog",
  "the dog sleeps and the fox runs",
  "a fox is not a dog",
}

-- stage spawns a fiber that runs body(input, output) and closes output at its end.
local function stage(name, input, body)
  local output = fiber.chan()
  local task = fiber.spawn(function()
    body(input, output)
    output:close()
  end)
  task:name(name) -- shown in error messages and deadlock reports
  return output
end

local lines = stage("read", nil, function(_, out)
  for _, line in ipairs(text) do
    out:send(line) -- waits for the receiver: the channel has no buffer
  end
end)

local words = stage("split", lines, function(input, out)
  for line in input:iter() do
    for word in line:gmatch("%a+") do
      out:send(word) -- a fiber may wait anywhere, also inside an iterator
    end
  end
end)

-- The last stage is the main program itself.
local count, order = {}, {}
for word in words:iter() do
  if not count[word] then
    count[word] = 0
    order[#order + 1] = word
  end
  count[word] = count[word] + 1
end

table.sort(order, function(a, b)
  if count[a] ~= count[b] then return count[a] > count[b] end
  return a < b
end)
for i = 1, 5 do
  print(("%d  %s"):format(count[order[i]], order[i]))
end
print(#order .. " different words")
