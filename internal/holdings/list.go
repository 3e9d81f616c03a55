package holdings

import (
	"iter"
	"reflect"
	"slices"
)

// Small is the length below which a release out of order searches the list instead of an index.
const Small = 32

// List is what one owner has acquired, oldest first; an element that was acquired twice is there
// twice. The zero List is empty. No element is the zero T.
//
// Invariants between calls:
//   - the last element of all is not a gap, so a release in reverse order finds it there;
//   - with an index, at has the places of each element in ascending order, and at most half of
//     all are gaps; without one there is no gap.
type List[T comparable] struct {
	all   []T // a gap, the zero T, is where an element was released out of order
	index *index[T]
}

type index[T comparable] struct {
	at   map[T][]int
	gaps int
}

// Add appends the newest element.
func (l *List[T]) Add(x T) {
	l.all = append(l.all, x)
	if l.index != nil {
		l.index.put(x, len(l.all)-1)
	}
}

// AddOldest puts an element before all others. Cost: O(n).
func (l *List[T]) AddOldest(x T) {
	l.removeGaps()
	l.all = slices.Insert(l.all, 0, x)
}

// Remove takes out the newest occurrence of an element, and tells whether there was one. What
// Go cannot compare (an interface with a slice inside) is in no list, as far as Remove can tell.
func (l *List[T]) Remove(x T) bool {
	last := len(l.all) - 1
	if last < 0 || !canCompare(x) {
		return false
	}
	if l.index == nil {
		if last < Small || same(l.all[last], x) {
			return l.removeBySearch(x)
		}
		l.index = newIndex(l.all)
	}
	return l.removeByIndex(x)
}

func (l *List[T]) removeBySearch(x T) bool {
	for i, y := range slices.Backward(l.all) {
		if same(x, y) {
			l.all = slices.Delete(l.all, i, i+1)
			return true
		}
	}
	return false
}

func (l *List[T]) removeByIndex(x T) bool {
	i, ok := l.index.take(x)
	if !ok {
		return false
	}
	var gap T
	l.all[i] = gap
	l.index.gaps++
	for n := len(l.all); n > 0 && l.all[n-1] == gap; n-- {
		l.all = l.all[:n-1]
		l.index.gaps--
	}
	if len(l.all) < Small || 2*l.index.gaps > len(l.all) {
		l.removeGaps() // the next release out of order builds an index again if it needs one
	}
	return true
}

// removeGaps closes the gaps and drops the index, whose places are no longer right.
func (l *List[T]) removeGaps() {
	if l.index == nil {
		return
	}
	var gap T
	l.all = slices.DeleteFunc(l.all, func(x T) bool { return x == gap })
	l.index = nil
}

// Newest is the place of the element that RemoveNewest takes out; nil if there is none, or if an
// index exists, because then only Remove keeps it right.
func (l *List[T]) Newest() *T {
	if len(l.all) == 0 || l.index != nil {
		return nil
	}
	return &l.all[len(l.all)-1]
}

// RemoveNewest takes out the element that Newest has just returned.
func (l *List[T]) RemoveNewest() {
	last := len(l.all) - 1
	var gap T
	l.all[last] = gap
	l.all = l.all[:last]
}

// Len counts the elements.
func (l *List[T]) Len() int {
	if l.index != nil {
		return len(l.all) - l.index.gaps
	}
	return len(l.all)
}

// Backward is the elements, newest first. The list must not change meanwhile.
func (l *List[T]) Backward() iter.Seq[T] {
	return func(yield func(T) bool) {
		var gap T
		for _, x := range slices.Backward(l.all) {
			if x != gap && !yield(x) {
				return
			}
		}
	}
}

// Clear removes all elements and keeps the memory for the next owner.
func (l *List[T]) Clear() {
	clear(l.all)
	l.all, l.index = l.all[:0], nil
}

func newIndex[T comparable](all []T) *index[T] {
	x := &index[T]{at: make(map[T][]int, len(all))}
	for i, e := range all {
		x.put(e, i)
	}
	return x
}

// put records a place. An element that cannot be a key can never be released either.
func (x *index[T]) put(e T, i int) {
	if canCompare(e) {
		x.at[e] = append(x.at[e], i)
	}
}

// take is the latest place of an element, which the index forgets.
func (x *index[T]) take(e T) (int, bool) {
	places := x.at[e]
	last := len(places) - 1
	if last < 0 {
		return 0, false
	}
	if last == 0 {
		delete(x.at, e)
	} else {
		x.at[e] = places[:last]
	}
	return places[last], true
}

func canCompare[T any](x T) bool { return reflect.ValueOf(&x).Elem().Comparable() }

// same is == without its panic for two values of one type that Go cannot compare.
func same[T comparable](x, y T) bool { return canCompare(y) && x == y }
