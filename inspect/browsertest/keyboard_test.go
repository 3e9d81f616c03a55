package browsertest

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

func TestTheListIsUsedByKeys(t *testing.T) {
	_, b := deadlock(t)
	b.wait(`document.querySelectorAll(".row .id").length === 5`)
	selected := func() string {
		return eval[string](b, `document.querySelector(".row[aria-selected=true] .id").textContent`)
	}
	require.Equal(t, "f0.1", selected())
	b.press(kb.ArrowDown + kb.ArrowDown + kb.ArrowUp + kb.ArrowDown)
	require.Equal(t, "f2.1", selected())
	require.Equal(t, "row-2", eval[string](b, `document.activeElement.getAttribute("aria-activedescendant")`))
	b.press(kb.Enter)
	b.wait(`document.querySelector("h1")?.textContent.includes("f2.1")`)
	b.press(kb.Escape)
	b.wait(`document.querySelector("[role=listbox]") !== null`)
	b.shortcut("/")
	b.wait(`document.activeElement.id === "search"`)
	b.press("audit")
	b.wait(`document.querySelectorAll(".row .id").length === 1`)
	b.press(kb.Escape)
	b.wait(`document.querySelectorAll(".row .id").length === 5 && document.getElementById("search").value === ""`)
}

// Each thing that can be used is reached by Tab, in the order in which it is shown.
func TestTabReachesEverything(t *testing.T) {
	_, b := deadlock(t)
	b.wait(`document.querySelectorAll(".row .id").length === 5`)
	b.focus(`#tabs a`)
	var order []string
	for range 20 {
		at := eval[string](b, `(({tagName, id, dataset, textContent}) => id || dataset.view || dataset.key || tagName)(document.activeElement)`)
		if at == "BODY" || len(order) > 0 && at == order[0] {
			break
		}
		order = append(order, at)
		b.press(kb.Tab)
	}
	require.Equal(t, "fibers graph timeline SUMMARY search filter id name state waits deadline site rows", strings.Join(order, " "))
}

const controllable = `local f = fiber.spawn(function() fiber.chan():recv() end):name("victim")
local g = fiber.spawn(function() while true do fiber.yield() end end):name("spinner")
print("up")
print(pcall(f.join, f))
fiber.sleep(1e6)
`

func TestButtonsAreThereOnlyWithControl(t *testing.T) {
	for _, control := range []bool{false, true} {
		var flags []string
		if control {
			flags = []string{"--inspect-control"}
		}
		p := start(t, "p.lua", controllable, "up", flags...)
		b := open(t, p.url)
		b.wait(`document.getElementById("verdict").textContent === "running"`)
		b.show("#/fiber/f2.1")
		b.wait(`document.querySelector("h1")?.textContent.includes("spinner")`)
		if !control {
			require.Zero(t, eval[int](b, `document.querySelectorAll(".buttons").length`))
			continue
		}
		b.wait(`document.querySelectorAll(".buttons button").length === 3`)
		click(b, "pause")
		b.wait(`document.querySelector("h1 .badge").textContent === "paused"`)
		click(b, "resume")
		b.wait(`document.querySelector("h1 .badge").textContent !== "paused"`)
		click(b, "kill")
		b.wait(`document.querySelector("h1").textContent.includes("ended")`)
		b.show("#/fiber/f1.1")
		b.wait(`document.querySelectorAll(".buttons button").length === 3`)
		click(b, "cancel")
		b.wait(`document.querySelector("h1").textContent.includes("ended")`)
		require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
		b.wait(`document.getElementById("notice").textContent.includes("has gone")`)
	}
}

func click(b *browser, key string) {
	b.wait(`document.querySelector("[data-key=` + key + `]") !== null`)
	b.click(`[data-key=` + key + `]`)
}
