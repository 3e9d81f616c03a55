package holdings

import "testing"

// The two steps that cost more than O(1) are counted: building an index, and closing the gaps.
func TestAReleaseInAnyOrderTakesConstantWorkOnAverage(t *testing.T) {
	const n = 1 << 14
	orders := map[string]func(i int) int{
		"oldest first": func(i int) int { return i },
		"newest first": func(i int) int { return n - 1 - i },
		"scattered":    func(i int) int { return i * 7919 % n },
	}
	for name, order := range orders {
		var l List[int]
		for i := range n {
			l.Add(i + 1)
		}
		work := 0
		for i := range n {
			before, indexed := len(l.all), l.index != nil
			if !l.Remove(order(i) + 1) {
				t.Fatalf("%s: element %d is not there", name, order(i)+1)
			}
			if !indexed && (l.index != nil || before < Small) || indexed && l.index == nil {
				work += before
			}
		}
		if l.Len() != 0 || work > 4*n+Small*Small {
			t.Errorf("%s: %d of %d elements are left, and %d were moved or indexed", name, l.Len(), n, work)
		}
	}
}

// An interface can contain what Go cannot compare. Such an element can be acquired, and the
// others can be released around it.
func TestAnElementThatCannotBeComparedIsNeverReleased(t *testing.T) {
	var l List[any]
	for i := range 3 * Small {
		l.Add(i)
		l.Add([]int{i})
	}
	for i := range 3 * Small {
		if !l.Remove(i) || l.Remove(i) || l.Remove([]int{i}) {
			t.Fatalf("element %d", i)
		}
	}
	if l.Len() != 3*Small {
		t.Errorf("%d elements are left", l.Len())
	}
}
