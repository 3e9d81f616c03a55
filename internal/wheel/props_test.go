package wheel

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// machine drives a Wheel and its twin with the same calls. Every third ticket is one
// whose wait ended early.
type machine struct {
	w     Wheel
	twin  twin
	now   fiber.Time
	seq   uint64
	fresh fiber.Time // a deadline used lately, to be used again
}

func live(e Entry) bool { return e.Ticket.Seq%3 != 0 }

// deadline draws from every magnitude, and often the same one again.
func (m *machine) deadline(t *rapid.T) fiber.Time {
	switch rapid.IntRange(0, 5).Draw(t, "when") {
	case 0:
		return m.fresh
	case 1:
		return m.now
	case 2:
		return fiber.Time(rapid.Int64Range(-5, int64(m.now)).Draw(t, "past"))
	case 3:
		return fiber.Never - 1 - fiber.Time(rapid.Int64Range(0, 3).Draw(t, "nearly never"))
	}
	bits := rapid.IntRange(0, 62).Draw(t, "magnitude")
	after := rapid.Int64Range(0, 1<<bits).Draw(t, "after")
	if fiber.Time(after) >= fiber.Never-m.now {
		return fiber.Never - 1
	}
	return m.now + fiber.Time(after)
}

func (m *machine) add(d fiber.Time) {
	m.seq++
	e := Entry{Deadline: d, Ticket: fiber.Ticket{ID: 1 << 32, Seq: m.seq}, Kind: uint8(m.seq)}
	m.w.Add(e)
	m.twin.add(e)
	m.fresh = d
	if !live(e) {
		m.w.NoteStale()
	}
}

func (m *machine) Add(t *rapid.T) { m.add(m.deadline(t)) }

// AddMany makes buckets that must be spread and runs that must spill.
func (m *machine) AddMany(t *rapid.T) {
	first := m.deadline(t)
	n := rapid.IntRange(1, 400).Draw(t, "n")
	step := fiber.Time(rapid.SampledFrom([]int64{0, 1, -1, 7, 4099, -4099, 1 << 33}).Draw(t, "step"))
	for range n {
		m.add(min(max(first, -1000), fiber.Never-1))
		if first > fiber.Never-1-max(step, 0) {
			return
		}
		first += step
	}
}

func (m *machine) pop(t *rapid.T) bool {
	got, ok := m.w.PopDue(m.now)
	want, wantOK := m.twin.pop(m.now)
	if got != want || ok != wantOK {
		t.Fatalf("PopDue(%d) = %v %v, want %v %v", m.now, got, ok, want, wantOK)
	}
	return ok
}

func (m *machine) PopSome(t *rapid.T) {
	for n := rapid.IntRange(1, 300).Draw(t, "n"); n > 0 && m.pop(t); n-- {
	}
}

// Wait lets the clock go on: to the next deadline, to just before it, or far beyond.
func (m *machine) Wait(t *rapid.T) {
	next, ok := m.w.Next(everyEntry)
	if ok != (len(m.twin) > 0) || ok && next != m.twin[0].Deadline {
		t.Fatalf("Next = %d %v of %d, want the first of %d", next, ok, m.w.Len(), len(m.twin))
	}
	if !ok {
		return
	}
	switch rapid.IntRange(0, 3).Draw(t, "how far") {
	case 0:
		m.now = max(m.now, next-1)
	case 1:
		m.now = max(m.now, m.twin[rapid.IntRange(0, len(m.twin)-1).Draw(t, "until")].Deadline)
	default:
		m.now = max(m.now, next)
	}
}

func (m *machine) Compact(*rapid.T) {
	before := len(m.twin)
	kept := m.twin[:0:0]
	for _, e := range m.twin {
		if live(e) {
			kept = append(kept, e)
		}
	}
	m.twin = kept
	if n := m.w.Compact(live); n != before-len(kept) {
		panic("Compact miscounted")
	}
}

// Peek asks for what is next among the live: never later than that, and that itself if
// no crowd stands before it. What it removes was not live.
func (m *machine) Peek(t *rapid.T) {
	first := slices.IndexFunc(m.twin, live)
	next, ok := m.w.Next(live)
	if ok != (m.w.Len() > 0) || ok && first >= 0 && next > m.twin[first].Deadline {
		t.Fatalf("Next = %d %v, want the live one among %d", next, ok, len(m.twin))
	}
	if small := len(m.twin) <= smallest; small && (ok != (first >= 0) || ok && next != m.twin[first].Deadline) {
		t.Fatalf("Next = %d %v of %d, the first live one is number %d", next, ok, len(m.twin), first)
	}
	m.forget(t)
}

// forget removes from the twin the stale entries that the wheel has removed.
func (m *machine) forget(t *rapid.T) {
	kept := m.w.all()
	m.twin = slices.DeleteFunc(m.twin, func(e Entry) bool { return !live(e) && !kept[e] })
	if len(m.twin) != m.w.Len() {
		t.Fatalf("%d entries of %d are left", m.w.Len(), len(m.twin))
	}
}

func (m *machine) Check(t *rapid.T) {
	if err := check(&m.w); err != nil {
		t.Fatal(err)
	}
	for i, e := range m.w.Ahead(16) {
		if e != m.twin[i] {
			t.Fatalf("ahead is %v, want %v", e, m.twin[i])
		}
	}
	if m.w.Len() != len(m.twin) {
		t.Fatalf("%d entries, want %d", m.w.Len(), len(m.twin))
	}
}

func TestWheelAgreesWithASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{}
		t.Repeat(map[string]func(*rapid.T){
			"": m.Check, "add": m.Add, "add more": m.Add, "add many": m.AddMany,
			"pop some": m.PopSome, "pop more": m.PopSome, "wait": m.Wait, "wait more": m.Wait,
			"compact": m.Compact, "peek": m.Peek, "peek more": m.Peek, "soonest": m.Soonest,
		})
		m.now = fiber.Never - 1
		for m.pop(t) {
		}
		if m.w.Len() != 0 || len(m.twin) != 0 {
			t.Fatalf("%d entries never come due", len(m.twin))
		}
	})
}
