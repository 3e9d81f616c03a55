package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// server is a program that serves requests which its own fibers make, without end.
const server = `local s = http.serve("127.0.0.1:0", function(request)
  fiber.sleep(0.002)
  return "hello"
end)
local address = "http://" .. s:addr() .. "/"
for i = 1, 40 do
  fiber.spawn(function()
    while true do http.get(address) end
  end):name("client " .. i)
end
print("up")
s:wait()
`

func TestABusyServer(t *testing.T) {
	p := start(t, "server.lua", server, "up")
	b := open(t, p.url)
	b.wait(`document.querySelectorAll(".row").length > 20`)
	// It goes on while it is looked at.
	before := eval[string](b, `document.getElementById("counts").textContent`)
	b.wait(fmt.Sprintf(`document.getElementById("counts").textContent !== %q`, before))
	b.click(`.heads button[data-key=name]`)
	b.wait(`document.querySelector(".heads button[data-key=name]").getAttribute("aria-pressed") === "true"`)
	b.wait(`document.querySelector("#row-0").textContent.includes("client 1")`)
	b.picture("inspector-server")
	b.focus(`#search`)
	b.press("client 4")
	b.wait(`document.getElementById("matched").textContent.startsWith("2 of ")`)
}

// sleepers is a program with many fibers that sleep.
const sleepers = `for i = 1, 100000 do
  fiber.spawn(function() fiber.sleep(4e6 - 10 * i) end):name("sleeper " .. i)
end
print("up")
fiber.sleep(1e9)
`

func TestAHundredThousandSleepers(t *testing.T) {
	p := start(t, "sleepers.lua", sleepers, "up")
	b := open(t, p.url)
	b.wait(`document.getElementById("matched").textContent === "100,001 fibers"`)
	b.wait(`document.querySelector("#row-1").textContent.includes("sleeper 1")`)
	require.Less(t, eval[int](b, `document.querySelectorAll(".row").length`), 100, "only what is visible exists")
	b.press(kb.End)
	b.wait(`document.querySelector("#row-100000").textContent.includes("sleeper 100000")`)
	b.press(kb.Home)
	b.wait(`document.querySelector("#row-1").textContent.includes("sleeper 1")`)
	b.shortcut("/")
	b.wait(`document.activeElement.id === "search"`)
	b.press("sleeper 99999")
	b.wait(`document.getElementById("matched").textContent === "1 of 100,001 fibers"`)
	b.wait(`document.querySelector("#row-0").textContent.includes("sleeper 99999")`)
	b.press(kb.Escape)
	b.wait(`document.getElementById("matched").textContent === "100,001 fibers"`)
	click(b, "deadline")
	b.wait(`document.querySelector("#row-0").textContent.includes("sleeper 100000")`)
	b.show("#/graph")
	b.wait(`document.getElementById("graphtext").textContent.includes("No fiber waits on an object")`)
}
