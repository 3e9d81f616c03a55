-- A module that blocks while it loads is loaded once, whoever else asks meanwhile.
local loads = {}
package.preload.slow = function(name) table.insert(loads, name); fiber.sleep(1); return {name = name} end
local tasks = {}
for i = 1, 3 do tasks[i] = fiber.spawn(function() return require("slow") end) end
local here = require("slow")
for i = 1, 3 do local ok, m = tasks[i]:join(); assert(ok and m == here, tostring(m)) end
print(#loads, here.name, require("slow") == here, package.loaded.slow == here) --> 1 slow true true

-- Modules may require others, in different fibers, at the same time.
package.preload.top = function() return {left = require("left"), right = require("right")} end
package.preload.left = function() fiber.sleep(1); return require("bottom") end
package.preload.right = function() fiber.sleep(1); return require("bottom") end
package.preload.bottom = function() table.insert(loads, "bottom"); fiber.sleep(1); return {} end
local l, r = fiber.spawn(require, "left"), fiber.spawn(require, "right")
local top = require("top")
print(select(2, l:join()) == top.left, select(2, r:join()) == top.left, top.left == top.right, #loads) --> true true true 2

-- Mistakes are those of plain Lua: a loop, no module, an error inside, with its position.
package.preload.ouroboros = function() return require("ouroboros") end
print(pcall(require, "ouroboros")) --> false …loop or previous error loading module: ouroboros
print((select(2, pcall(require, "nowhere")):match("[^\n]+"))) --> …module nowhere not found:
package.preload.broken = function() fiber.sleep(0.001); error("inside", 0) end
print(pcall(require, "broken")) --> false inside
print(pcall(require, "broken")) --> false …loop or previous error loading module: broken
print(pcall(require)) --> false @: bad argument #1 to (anonymous) (string expected, got nil)
print(pcall(require, {})) --> false @: bad argument #1 to (anonymous) (string expected, got table)

-- A module that yields while it loads is finished by whoever resumes it.
package.preload.yields = function() coroutine.yield("half"); return "whole" end
local half = coroutine.wrap(function() return require("yields") end)
print(half()) --> half
print(fiber.spawn(half):join()) --> true whole
print(require("yields")) --> whole
package.preload.lost = function() coroutine.yield("half") end
print(coroutine.wrap(function() return require("lost") end)()) --> half
