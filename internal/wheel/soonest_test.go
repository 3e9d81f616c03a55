package wheel

import (
	"slices"

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
