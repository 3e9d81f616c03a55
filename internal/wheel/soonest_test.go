package wheel

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// Soonest asks for the first of the live entries, behind others that stay.
func (m *machine) Soonest(t *rapid.T) {
	var want []Entry
	for _, e := range m.twin {
		if live(e) {
			want = append(want, e)
		}
	}
	n := rapid.IntRange(0, len(want)+1).Draw(t, "soonest")
	before := []Entry{{Deadline: 1 << 40}, {Deadline: -7}}
	got := m.w.Soonest(n, live, slices.Clone(before))
	if !slices.Equal(got[:2], before) || !slices.Equal(got[2:], want[:min(n, len(want))]) {
		t.Fatalf("the soonest %d are %v, want %v", n, got, want[:min(n, len(want))])
	}
}

func TestTheSoonestOfEqualDeadlinesAreThoseRegisteredFirst(t *testing.T) {
	var w Wheel
	for seq := range uint64(100) {
		w.Add(Entry{Deadline: fiber.Time(1e6 + seq%3), Ticket: fiber.Ticket{ID: 1 << 32, Seq: seq}})
	}
	for i, e := range w.Soonest(40, everyEntry, nil) {
		want := uint64(3 * i)
		if i >= 34 { // as many have the first deadline
			want = uint64(3*(i-34) + 1)
		}
		if e.Ticket.Seq != want {
			t.Fatalf("number %d is %v, want that of %d", i, e, want)
		}
	}
}
