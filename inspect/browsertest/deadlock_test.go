package browsertest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bank is a program of three transfers that wait for each other, and others that wait for them.
const bank = `local alice, bob, carol = fiber.mutex(), fiber.mutex(), fiber.mutex()

local function transfer(from, to, amount)
  from:lock()
  fiber.sleep(0.1)
  to:lock()
  to:unlock()
  from:unlock()
end

fiber.spawn(transfer, alice, bob, 10):name("alice to bob")
fiber.spawn(transfer, bob, carol, 20):name("bob to carol")
fiber.spawn(transfer, carol, alice, 30):name("carol to alice")
fiber.spawn(function() alice:lock() end):name("audit")
local done = fiber.chan()
print(done:recv())
`

// read asks the program for JSON, without the browser.
func read[T any](t *testing.T, p *program, path string) (answer T) {
	t.Helper()
	response, err := http.Get(p.url + "api/v1/" + path)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	return answer
}

type fibers struct {
	Total, Matched int
	Fibers         []struct{ ID, Name, State, Site string }
}

type graph struct {
	Nodes []struct {
		ID    string
		Cycle bool
	}
	Edges []struct {
		From, To string
		Cycle    bool
	}
}

func deadlock(t *testing.T) (*program, *browser) {
	t.Helper()
	p := start(t, "bank.lua", bank, "", "--inspect-values")
	b := open(t, p.url)
	b.wait(`document.getElementById("verdict").textContent === "deadlock"`)
	return p, b
}

func TestTheListHasTheFibersOfTheJSON(t *testing.T) {
	p, b := deadlock(t)
	want := read[fibers](t, p, "fibers")
	require.Len(t, want.Fibers, 5)
	b.wait(`[...document.querySelectorAll(".row")].filter((r) => r.textContent.includes("blocked")).length === 5`)
	rows := eval[[]string](b, `[...document.querySelectorAll(".row")].map((r) => [...r.children].map((c) => c.textContent).join("|"))`)
	for i, f := range want.Fibers {
		cells := strings.Split(rows[i], "|")
		require.Equal(t, []string{f.ID, f.Name, f.State, f.Site}, []string{cells[0], cells[1], cells[2], cells[5]})
	}
	require.Equal(t, "5 fibers", eval[string](b, `document.getElementById("matched").textContent`))
	require.Contains(t, eval[string](b, `document.getElementById("whytext").textContent`), "all 5 fibers are blocked")
}

func TestTheCycleOfADeadlockIsRed(t *testing.T) {
	p, b := deadlock(t)
	want := read[graph](t, p, "graph")
	b.show("#/graph")
	b.wait(`document.querySelectorAll("svg .node").length > 0`)
	for _, n := range want.Nodes {
		require.Equal(t, n.Cycle, eval[bool](b, `document.querySelector("svg [data-id='`+n.ID+`']").classList.contains("cycle")`), n.ID)
	}
	for _, e := range want.Edges {
		require.Equal(t, e.Cycle, eval[bool](b, `document.querySelector("svg [data-edge='`+e.From+` `+e.To+`']").classList.contains("cycle")`), e)
	}
	red := eval[string](b, `getComputedStyle(document.querySelector("svg .edge.cycle")).stroke`)
	require.Equal(t, eval[string](b, `getComputedStyle(document.getElementById("verdict")).backgroundColor`), red)
	require.Contains(t, eval[string](b, `document.getElementById("graphtext").textContent`), "A cycle of 3: f1.1 → f2.1 → f3.1 → f1.1")
	b.picture("inspector-deadlock")
	b.dark(true)
	require.NotEqual(t, red, eval[string](b, `getComputedStyle(document.querySelector("svg .edge.cycle")).stroke`), "a lighter red on dark")
}

func TestThePageOfAFiberHasItsStackAndItsWaits(t *testing.T) {
	_, b := deadlock(t)
	b.show("#/fiber/f1.1")
	b.wait(`document.querySelector(".source .here") !== null`)
	require.Equal(t, "  to:lock()", eval[string](b, `document.querySelector(".source .here").textContent`))
	text := eval[string](b, `document.querySelector("main").innerText`)
	for _, part := range []string{"alice to bob", "could be woken by", "f2.1 “bob to carol”", "f3.1 “carol to alice”", "f4.1 “audit”", "amount", "10"} {
		require.Contains(t, text, part)
	}
	require.Zero(t, eval[int](b, `document.querySelectorAll(".buttons").length`), "there is nothing to control")
	b.picture("inspector-fiber")
	b.click(`.holders a`)
	b.wait(`document.querySelector("h1").textContent.includes("bob to carol")`)
}

// Names and places of the program are text, whatever is in them.
func TestNamesAreNeverMarkup(t *testing.T) {
	p := start(t, "p.lua", `fiber.spawn(function() fiber.chan():recv() end):name("<img src=x onerror=alert(1)>") fiber.sleep(1e6)`, "")
	b := open(t, p.url)
	b.wait(`document.querySelectorAll(".row").length === 2 && document.body.textContent.includes("<img src=x")`)
	for _, view := range []string{"#/fiber/f1.1", "#/graph"} {
		b.show(view)
		b.wait(`document.querySelector("main").textContent.includes("<img src=x")`)
	}
	require.Zero(t, eval[int](b, `document.images.length`))
}
