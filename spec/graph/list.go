package graph

import "slices"

// List is a short list inside a state: a queue or a stack of a model. It has room for more than
// a right model puts there, so that a wrong one is seen by a check. Places behind the end are
// zero, so that two lists with the same elements are ==.
type List[T comparable] struct {
	all [8]T
	n   uint8
}

// All is the elements, the oldest first. It shares memory with l.
func (l *List[T]) All() []T { return l.all[:l.n] }

// Len is the number of elements.
func (l *List[T]) Len() int { return int(l.n) }

// Push appends an element.
func (l *List[T]) Push(v T) {
	l.all[l.n] = v
	l.n++
}

// PushFront puts an element in front of all others.
func (l *List[T]) PushFront(v T) {
	copy(l.all[1:], l.all[:l.n])
	l.all[0] = v
	l.n++
}

// Remove takes out the i-th element.
func (l *List[T]) Remove(i int) T {
	v := l.all[i]
	copy(l.all[i:], l.all[i+1:l.n])
	l.n--
	var zero T
	l.all[l.n] = zero
	return v
}

// Pop takes out the oldest element.
func (l *List[T]) Pop() T { return l.Remove(0) }

// Index is the place of an element, -1 if it is not there.
func (l *List[T]) Index(v T) int { return slices.Index(l.All(), v) }

// Delete takes out the first of the elements that are v, if there is one.
func (l *List[T]) Delete(v T) {
	if i := l.Index(v); i >= 0 {
		l.Remove(i)
	}
}

// DeleteFunc takes out the elements for which del is true.
func (l *List[T]) DeleteFunc(del func(T) bool) {
	l.n = uint8(len(slices.DeleteFunc(l.All(), del)))
}
