package wait

import (
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"pgregory.net/rapid"
)

// joiners are fibers that join the ends of others, beside the dumbest description of that: for
// each end a list of who waits for it, in the order they came (I11).
type joiners struct {
	*crowd
	cells []*ioqueue.Cell
	lines [][]fiber.Ticket
	value []int // what it ended with, 0 while it goes on
	ends  int
}

func (m *joiners) givesUp(tk fiber.Ticket) {
	for i := range m.lines {
		m.lines[i] = slices.DeleteFunc(m.lines[i], func(t fiber.Ticket) bool { return t == tk })
	}
}

func (m *joiners) dies(id fiber.ID) { m.givesUp(m.asleep[id.Index()]) }

func (m *joiners) wakes(t *rapid.T, tk fiber.Ticket, code fiber.Code) {
	if code != fiber.OK {
		t.Fatalf("%v was woken with %v", tk, code)
	}
}

func (m *joiners) knows(tk fiber.Ticket) bool {
	return slices.ContainsFunc(m.cells, func(c *ioqueue.Cell) bool { return c.Source().Holds(tk) })
}

func (m *joiners) rest() error {
	for _, c := range m.cells {
		if wakes, err := c.Complete(nil, nil, nil); err == nil && len(wakes) > 0 {
			return fmt.Errorf("%s still wakes %v", c.Source().(fiber.Described).Describe(), wakes)
		}
	}
	return nil
}

// Join reads the end, or parks until it comes.
func (m *joiners) Join(t *rapid.T) {
	id := m.runner(t)
	if id == 0 {
		return
	}
	i := rapid.IntRange(0, len(m.cells)-1).Draw(t, "end")
	j, err := JoinOn(m.cells[i], id)
	if err != nil {
		t.Fatal(err)
	}
	v, done, err := j.Try()
	if done != (m.value[i] > 0) || done && v != m.value[i] || err != nil {
		t.Fatalf("joined: %v %v %v, want %d", v, done, err, m.value[i])
	}
	if !done {
		tk := m.parks(t, id, func(tk fiber.Ticket) error { return j.ParkJoin(tk, 0) }, m.cells[i].Source())
		m.lines[i] = append(m.lines[i], tk)
	}
}

// End ends what was joined, or has something new begin in the place of what ended.
func (m *joiners) End(t *rapid.T) {
	m.steps++
	i := rapid.IntRange(0, len(m.cells)-1).Draw(t, "end")
	if m.value[i] > 0 {
		m.cells[i], m.value[i] = new(ioqueue.Cell), 0
		return
	}
	m.ends++
	m.value[i] = m.ends
	for _, tk := range m.lines[i] {
		m.expect(tk, fiber.OK)
	}
	m.lines[i] = nil
	wakes, err := m.cells[i].Complete(m.ends, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.deliver(wakes...)
}

func TestAnyHistoryOfJoinsIsThatOfAListForEachEnd(t *testing.T) {
	history(t, func(t *rapid.T) int {
		m := &joiners{lines: make([][]fiber.Ticket, 2), value: make([]int, 2)}
		m.crowd = newCrowd(t, m)
		m.cells = []*ioqueue.Cell{new(ioqueue.Cell), new(ioqueue.Cell)}
		return m.goOn(t, func(*rapid.T) {}, map[string]func(*rapid.T){
			"join": m.Join, "join too": m.Join, "join as well": m.Join, "end": m.End,
		})
	})
}
