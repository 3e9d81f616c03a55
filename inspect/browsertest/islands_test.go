package browsertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// threeIslands is a program in which north sends to south without end, south waits for values of north, and both have
// sent to main, which waits for more.
const threeIslands = `local inbox = fiber.port(2)
local north, south = fiber.island("north"), fiber.island("<b>south")
fiber.spawn(function() fiber.sleep(1e6) end)
south:spawn(function(out)
  local full, empty = fiber.port(1), fiber.port(1)
  out:send(full)
  out:send(empty)
  empty:recv()
end, inbox)
local full, empty = inbox:recv(), inbox:recv()
north:spawn(function(full, empty)
  while true do full:send(1) end
end, full, empty)
print("up")
inbox:recv()
`

type islands struct {
	Parts []struct {
		Name                                             string
		Ready, Blocked, Moved_in, Moved_out, Transitions int
	}
	Ports []struct {
		Name                   string
		Part, Capacity, Values int
		Senders                []struct{ Part *int }
	}
	Waits []struct {
		Part, Port, Fibers int
		For                string
	}
}

// rows are what the page must show, in the form of cells.
func (s islands) rows() (all [][]string) {
	for _, p := range s.Parts {
		all = append(all, []string{p.Name, fmt.Sprint(p.Ready), fmt.Sprint(p.Blocked), fmt.Sprint(p.Moved_in), fmt.Sprint(p.Moved_out), fmt.Sprint(p.Transitions)})
	}
	for at, p := range s.Ports {
		var from, waits []string
		for _, sender := range p.Senders {
			from = append(from, s.Parts[*sender.Part].Name)
		}
		for _, w := range s.Waits {
			if w.Port == at {
				waits = append(waits, fmt.Sprintf("%s: %d for %s", s.Parts[w.Part].Name, w.Fibers, w.For))
			}
		}
		all = append(all, []string{p.Name, fmt.Sprint(p.Capacity), fmt.Sprint(p.Values), strings.Join(from, ", ") + " → " + s.Parts[p.Part].Name, strings.Join(waits, ", ")})
	}
	return all
}

// settled tells whether all fibers have come to their waits.
func (s islands) settled() bool {
	room := 0
	for _, w := range s.Waits {
		if w.For == "room" {
			room++
		}
	}
	ready := 0
	for _, p := range s.Parts {
		ready += p.Ready
	}
	return room == 1 && ready == 0
}

func TestTheIslandsAreThoseOfTheJSON(t *testing.T) {
	p := start(t, "p.lua", threeIslands, "up")
	b := open(t, p.url)
	b.wait(`!document.querySelector("#tabs [data-view=islands]").hidden`)
	want := read[islands](t, p, "islands")
	for !want.settled() {
		want = read[islands](t, p, "islands")
	}
	require.Len(t, want.Parts, 3)
	b.focus(`#tabs [data-view=islands]`)
	b.press(kb.Enter)
	rows, err := json.Marshal(want.rows())
	require.NoError(t, err)
	b.wait(`JSON.stringify([...document.querySelectorAll("#parts tr, #ports tr")].map((r) => [...r.children].map((c) => c.textContent))) === JSON.stringify(` + string(rows) + `)`)
	require.Equal(t, fmt.Sprintf("3 islands, %d ports.", len(want.Ports)), eval[string](b, `document.getElementById("islandstext").textContent`))
	require.True(t, eval[bool](b, `document.documentElement.scrollWidth <= 1280 && document.documentElement.scrollHeight <= 720`), "the page needs no more room")
	b.press(kb.Tab)
	require.Equal(t, "Islands and ports", eval[string](b, `document.activeElement.getAttribute("aria-label")`))
	b.picture("inspector-islands")
	b.press(kb.Escape)
	b.wait(`document.querySelector("[role=listbox]") !== null`)
}

func TestWithoutIslandsThereIsNoSectionForThem(t *testing.T) {
	p := start(t, "p.lua", `print("up") fiber.sleep(1e6)`, "up")
	b := open(t, p.url)
	b.wait(`document.getElementById("verdict").textContent === "running"`)
	require.True(t, eval[bool](b, `document.querySelector("#tabs [data-view=islands]").hidden`))
	b.show("#/islands")
	b.wait(`document.getElementById("islandstext").textContent.startsWith("There are no islands")`)
}
