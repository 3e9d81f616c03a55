package browsertest

import "testing"

const deadlocked = `local a, b, c = fiber.mutex(), fiber.mutex(), fiber.mutex()

local function transfer(from, to)
  from:lock()
  fiber.sleep(0.1)
  to:lock()
end

fiber.spawn(transfer, a, b):name("alice")
fiber.spawn(transfer, b, c):name("bob")
fiber.spawn(transfer, c, a):name("carol")
local done = fiber.chan()
fiber.spawn(function() a:lock() end):name("auditor")
print(done:recv())
`

func TestADeadlock(t *testing.T) {
	p := start(t, "bank.lua", deadlocked, "")
	b := open(t, p.url)
	b.wait(`document.getElementById("verdict").textContent === "deadlock"`)
	b.wait(`document.querySelectorAll(".row").length >= 5`)
	b.picture("inspector-list")
	b.show("#/graph")
	b.wait(`document.querySelectorAll("svg .node.cycle").length >= 3`)
	b.picture("inspector-deadlock")
	b.dark(true)
	b.picture("inspector-deadlock-dark")
	b.dark(false)
	b.show("#/fiber/f1.1")
	b.wait(`document.querySelectorAll(".stack li").length >= 1`)
	b.picture("inspector-fiber")
}
