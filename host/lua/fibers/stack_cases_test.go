//go:build !purego

package fibers

// stackCases are programs that show the stack of a fiber.
var stackCases = []struct {
	name    string
	budget  int // 0 is the usual one
	program string
	want    string
}{
	{"new", 0, `
local function f(a, b, c, ...) end
local t = fiber.spawn(f, 1, "x", nil, true, nil)
show(t)
local u = fiber.spawn(f)
show(u)
local g = fiber.spawn(print, 1)
show(g)`, `
<p.lua:2> p.lua:2 a=1 b="x" c=nil ...=true, nil
<p.lua:2> p.lua:2 a=nil b=nil c=nil
(anonymous)
`},
	{"itself", 0, `
local x = 1
local function f(y)
  show(fiber.self())
  return y
end
f(2)`, `
show
f p.lua:4 y=2
main chunk p.lua:7 x=1 f=function <p.lua:3>
`},
	{"in a receive", 1, `
local ch = fiber.chan()
local t = fiber.spawn(function(a)
  local b = a * 2
  local v = ch:recv()
  return v
end, 3)
fiber.sleep(1)
show(t)
ch:send(1)`, `
recv
<p.lua:3> p.lua:5 a=3 b=6 ch=chan: p.lua:2 #1
`},
	{"asleep", 1, `
local t = fiber.spawn(function() for i = 1, 3 do fiber.sleep(i) end end)
fiber.sleep(2)
show(t)`, `
sleep
<p.lua:2> p.lua:2 i=2
`},
	{"in a lock", 1, `
local m = fiber.mutex()
m:lock()
local t = fiber.spawn(function() local function take() m:lock() return m end take() end)
fiber.sleep(1)
show(t)
m:unlock()`, `
lock
take p.lua:4 m=mutex: p.lua:2 #1
<p.lua:4> p.lua:4 take=function <p.lua:4> m=mutex: p.lua:2 #1
`},
	{"preempted", 10, `
local t = fiber.spawn(function()
  local n = 0
  while true do
    n = n + 1
  end
end)
fiber.yield()
show(t)
t:cancel()`, `
<p.lua:2> p.lua:6 n=5
`},
	{"in a protected call", 0, `
local t = fiber.spawn(function()
  local ok = pcall(function(a)
    local b = a
    xpcall(function() fiber.sleep(1) return b end, print)
  end, 4)
end)
fiber.yield()
show(t)`, `
sleep
<p.lua:5> p.lua:5 b=4
xpcall
<p.lua:3> p.lua:5 a=4 b=4
pcall
<p.lua:2> p.lua:3
`},
	{"in a coroutine", 0, `
local function deep(n)
  if n == 0 then fiber.sleep(1) end
  local v = n
  deep(n - 1)
  return v
end
local t = fiber.spawn(function()
  local outer = 7
  local co = coroutine.wrap(function(x)
    local inner = coroutine.create(function(y) deep(1) end)
    coroutine.resume(inner, x + 1)
  end)
  co(1)
end)
fiber.yield()
show(t)
t:cancel()`, `
sleep
deep p.lua:3 n=0 deep=function <p.lua:2>
deep p.lua:5 n=1 v=1 deep=function <p.lua:2>
<p.lua:11> p.lua:11 y=2 deep=function <p.lua:2>
resume
<p.lua:10> p.lua:12 x=1 inner=thread (normal) deep=function <p.lua:2>
co
<p.lua:8> p.lua:14 outer=7 co=function (anonymous) deep=function <p.lua:2>
`},
	{"after a coroutine has yielded", 0, `
local t = fiber.spawn(function()
  local co = coroutine.create(function() coroutine.yield(1) end)
  coroutine.resume(co)
  fiber.sleep(1)
  coroutine.resume(co)
  fiber.sleep(1)
end)
fiber.yield()
show(t)
fiber.sleep(1)
fiber.yield()
show(t)`, `
sleep
<p.lua:2> p.lua:5 co=thread (suspended)
sleep
<p.lua:2> p.lua:7 co=thread (dead)
`},
	{"in metamethods", 0, `
local object = setmetatable({}, {
  __index = function(self, key) fiber.sleep(1) return key end,
  __add = function(a, b) return a.field end,
})
local t = fiber.spawn(function() local sum = object + 1 return sum end)
fiber.yield()
show(t)`, `
sleep
<p.lua:3> p.lua:3 self={} key="field"
<p.lua:4> p.lua:4 a={} b=1
<p.lua:6> p.lua:6 object={}
`},
	{"in an iterator", 0, `
local function each(list)
  local function step(l, i) i = i + 1 fiber.sleep(1) if l[i] then return i, l[i] end end
  return step, list, 0
end
local t = fiber.spawn(function()
  for i, v in each { 10, 20 } do
    local w = v
  end
end)
fiber.sleep(1)
fiber.yield()
show(t)`, `
sleep
<p.lua:3> p.lua:3 l={10, 20} i=2
<p.lua:6> p.lua:7 each=function <p.lua:2>
`},
	{"in a callback of a Go function", 0, `
local t = fiber.spawn(function()
  local list = { 3, 1, 2 }
  table.sort(list, function(a, b) fiber.sleep(1) return a < b end)
end)
fiber.yield()
show(t)
t:cancel()`, `
sleep
<p.lua:4> p.lua:4 a=1 b=3
sort
<p.lua:2> p.lua:4 list={3, 1, 2}
`},
	{"after tail calls", 0, `
local function last(n) fiber.sleep(1) return n end
local function down(n) if n > 0 then return down(n - 1) end return last(n) end
local t = fiber.spawn(function() local r = down(2) return r end)
fiber.yield()
show(t)`, `
sleep
<p.lua:2> p.lua:2 n=0
(tail call)
<p.lua:4> p.lua:4 down=function <p.lua:3>
`},
	{"in a module", 0, `
package.preload.mod = function(name) fiber.sleep(1) return {} end
local t = fiber.spawn(function() local m = require "mod" return m end)
fiber.yield()
show(t)`, `
sleep
<p.lua:2> p.lua:2 name="mod"
require
<p.lua:3> p.lua:3
`},
	{"with methods and fields", 0, `
local object = { name = "o", list = { n = 1 } }
function object:wait(...) local first = ... fiber.sleep(1) return self, first end
function object.list.go(a) object:wait(a, 2) return a end
local t = fiber.spawn(function() object.list.go("x") return 1 end)
fiber.yield()
show(t)`, `
sleep
wait p.lua:3 self={name = "o", list = {n = 1, go = function <p.lua:4>}, wait = function <p.lua:3>} first="x" ...="x", 2
go p.lua:4 a="x" object={name = "o", list = {n = 1, go = function <p.lua:4>}, wait = function <p.lua:3>}
<p.lua:5> p.lua:5 object={name = "o", list = {n = 1, go = function <p.lua:4>}, wait = function <p.lua:3>}
`},
	{"with blocks and shadows", 0, `
local t = fiber.spawn(function()
  local a, _ = 1, 0
  local a = 2
  do local gone = 3 end
  for i = 1, 1 do
    local b = 4
    repeat local c = 5 fiber.sleep(1) until c
  end
  local later = 6
end)
fiber.yield()
show(t)`, `
sleep
<p.lua:2> p.lua:8 _=0 a=2 i=1 b=4 c=5
`},
}
