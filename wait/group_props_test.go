package wait

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"pgregory.net/rapid"
)

// family drives a Group beside the dumbest description of one: how each member ended,
// and which of the ends the waiter has looked at.
type family struct {
	*fake
	g       *Group
	goal    Goal
	cells   []*ioqueue.Cell
	how     []string // "", "well", "ill"
	seen    []bool
	decided int
	on      fiber.Ticket
	first   int // the end that ended the present wait
	steps   int
}

func (m *family) decides(i int) bool {
	return m.goal == FirstError && m.how[i] == "ill" || m.goal == Any && m.how[i] == "well"
}

func (m *family) see(i int) {
	if m.seen[i] = true; m.decided < 0 && m.decides(i) {
		m.decided = i
	}
}

// look sees all ends, in the order of adding; All stops at the first that is missing,
// but that is not visible.
func (m *family) look() (done bool) {
	for i := range m.how {
		if m.how[i] != "" && m.decided < 0 {
			m.see(i)
		}
	}
	return m.decided >= 0 || !slices.Contains(m.how, "")
}

// End completes the cell of a member that goes on.
func (m *family) End(t *rapid.T) {
	i := rapid.IntRange(0, len(m.cells)-1).Draw(t, "member")
	if m.how[i] != "" {
		return
	}
	m.steps++
	m.how[i] = "well"
	var err error
	if rapid.Bool().Draw(t, "fails") {
		m.how[i], err = "ill", errors.New("boom")
	}
	wakes, _ := m.cells[i].Complete(i, err, nil)
	awaited := !m.on.IsZero() && m.first < 0 && (m.goal != All || i == m.missing())
	if (len(wakes) == 1) != awaited || len(wakes) > 1 {
		t.Fatalf("the end of %d wakes %v", i, wakes)
	}
	if awaited {
		m.first = i
	}
	m.deliver(wakes...)
}

// missing is the member that All waits for: the first whose end was not there when it
// parked.
func (m *family) missing() int { return slices.Index(m.seen, false) }

func (m *family) Wait(t *rapid.T) {
	if !m.on.IsZero() {
		return
	}
	m.steps++
	done := m.look()
	if i, d := m.g.Try(); i != m.decided || d != done {
		t.Fatalf("%v of %v: decided %d %v, want %d %v", m.goal, m.how, i, d, m.decided, done)
	}
	tk := m.arm(fib(1), m.g.Sources(nil)...)
	err := m.g.Park(tk)
	if (err != nil) != done {
		t.Fatalf("%v of %v: park: %v", m.goal, m.how, err)
	}
	if !done {
		m.on, m.first = tk, -1
	}
}

// Resume ends the wait, by the end that came or because the fiber gives up.
func (m *family) Resume(t *rapid.T) {
	if m.on.IsZero() {
		return
	}
	m.steps++
	if m.first < 0 {
		m.timeout(m.on)
	} else {
		m.see(m.first)
	}
	if m.g.Collect(m.on, m.claim(m.on)) != (m.first >= 0) {
		t.Fatalf("collected without an end")
	}
	for _, c := range m.cells {
		if c.Source().Holds(m.on) {
			t.Fatalf("%v is still registered", m.on)
		}
	}
	m.on = fiber.Ticket{}
}

func (m *family) Check(t *rapid.T) {
	var want []fiber.ID
	for i, how := range m.how {
		if how == "" {
			want = append(want, fib(i))
		}
	}
	if got := m.g.Unfinished(nil); !slices.Equal(got, want) {
		t.Fatalf("rest %v, want %v", got, want)
	}
}

// Anew starts with other members once all have ended and no fiber waits.
func (m *family) Anew(t *rapid.T) {
	if !m.on.IsZero() || slices.Contains(m.how, "") {
		return
	}
	m.goal = rapid.SampledFrom([]Goal{All, FirstError, Any}).Draw(t, "goal")
	m.decided, m.cells, m.how, m.seen = -1, nil, nil, nil
	var joins []Join
	for i := range rapid.IntRange(1, 8).Draw(t, "members") {
		cell := new(ioqueue.Cell)
		cell.SetOwner(fib(i))
		j, err := JoinOn(cell, fib(99))
		if err != nil {
			t.Fatal(err)
		}
		joins, m.cells = append(joins, j), append(m.cells, cell)
		m.how, m.seen = append(m.how, ""), append(m.seen, false)
	}
	m.g.Reset(m.goal, joins...)
}

func TestAnyHistoryOfAGroupIsThatOfAListOfEnds(t *testing.T) {
	history(t, func(t *rapid.T) int {
		m := &family{fake: newFake(t), g: new(Group)}
		m.Anew(t)
		for range 4 * rounds {
			t.Repeat(map[string]func(*rapid.T){
				"end": m.End, "end too": m.End, "wait": m.Wait, "resume": m.Resume, "anew": m.Anew, "anew again": m.Anew, "": m.Check,
			})
		}
		return m.steps
	})
}
