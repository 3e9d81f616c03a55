-- A file indexer: it reads all the files below a directory, several at once, and then knows
-- which files have which words.
--
--     selvage run examples/lua/indexer.lua
--     selvage run examples/lua/indexer.lua DIRECTORY WORD ...
--
-- Without a directory it makes a small one, and removes it in the end. One fiber walks the
-- tree and a few read the files; a channel with a small buffer between them is the
-- back-pressure on the walker.

local READERS, WAITING = 8, 16

-- a directory with thirty files of a poem that grows
local function sample()
  local dir = os.tmpname()
  os.remove(dir)
  proc.run{ "mkdir", "-p", dir .. "/verses/more" }
  local animals = { "cat", "dog", "owl", "fox", "hen" }
  for i = 1, 30 do
    local lines = {}
    for j = 1, i do lines[j] = ("the %s saw the %s"):format(animals[j % 5 + 1], animals[i % 5 + 1]) end
    local below = ({ "", "/verses", "/verses/more" })[i % 3 + 1]
    fs.write(("%s%s/%02d.txt"):format(dir, below, i), table.concat(lines, "\n"))
  end
  return dir
end

local given = arg[1]
local dir = given or sample()
local wanted = given and { select(2, ...) } or { "owl", "fox", "unicorn" }

local terminal = os.execute("test -t 2") == 0
local files, bytes, found, skipped = 0, 0, 0, 0
local function progress()
  if terminal and fiber.now() > 1 then
    io.stderr:write(("\r\27[K%d of %d files that are known, %.1f MB"):format(files, found, bytes / 1e6))
  end
end

-- The index: word → path → how often. The readers count each file by themselves, and enter
-- what they have counted one at a time.
local index, books = {}, fiber.mutex()

local function enter(path, size, count)
  files, bytes = files + 1, bytes + size
  for word, times in pairs(count) do
    local places = index[word]
    if not places then
      places = {}
      index[word] = places
    end
    places[path] = times
  end
end

local function read(path)
  local ok, text = pcall(fs.read, path)
  if not ok then
    books:with(function() skipped = skipped + 1 end)
    return
  end
  local count = {}
  for word in text:lower():gmatch("%a+") do count[word] = (count[word] or 0) + 1 end
  books:with(enter, path, #text, count)
  progress()
end

fiber.scope(function(scope)
  local paths = fiber.chan(WAITING)
  for _ = 1, READERS do
    scope:spawn(function() for path in paths:iter() do read(path) end end)
  end
  local function walk(at)
    for _, name in ipairs(fs.list(at)) do
      local path = at .. "/" .. name
      local kind = fs.stat(path).kind
      if kind == "directory" then
        walk(path)
      elseif kind == "file" then
        found = found + 1
        paths:send(path)
      end
    end
  end
  walk(dir)
  paths:close()
end)
if terminal then io.stderr:write("\r\27[K") end

local words = 0
for _ in pairs(index) do words = words + 1 end
print(("%d files, %d bytes, %d words%s"):format(files, bytes, words, skipped > 0 and ", " .. skipped .. " files cannot be read" or ""))
for _, word in ipairs(wanted) do
  local best, places, times = nil, 0, 0
  for path, n in pairs(index[word] or {}) do
    places, times = places + 1, times + n
    if not best or n > index[word][best] or n == index[word][best] and path < best then best = path end
  end
  print(("%s: %d times in %d files%s"):format(word, times, places, best and ", most often in " .. best:sub(#dir + 2) or ""))
end

if not given then proc.run{ "rm", "-r", dir } end
