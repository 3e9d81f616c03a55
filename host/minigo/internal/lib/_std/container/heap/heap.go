// Package heap is what minigo has of Go's.
package heap

type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
	Push(x any)
	Pop() any
}

func Init(h Interface) {
	for i := h.Len()/2 - 1; i >= 0; i-- {
		sink(h, i, h.Len())
	}
}

func Push(h Interface, x any) {
	h.Push(x)
	rise(h, h.Len()-1)
}

func Pop(h Interface) any {
	last := h.Len() - 1
	h.Swap(0, last)
	sink(h, 0, last)
	return h.Pop()
}

func Remove(h Interface, i int) any {
	last := h.Len() - 1
	if i != last {
		h.Swap(i, last)
		if !sink(h, i, last) {
			rise(h, i)
		}
	}
	return h.Pop()
}

func Fix(h Interface, i int) {
	if !sink(h, i, h.Len()) {
		rise(h, i)
	}
}

// rise moves an element towards the root, past those that it is less than.
func rise(h Interface, i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.Less(i, parent) {
			return
		}
		h.Swap(parent, i)
		i = parent
	}
}

// sink moves an element away from the root, and reports whether it has moved.
func sink(h Interface, start, n int) bool {
	i := start
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && h.Less(right, child) {
			child = right
		}
		if !h.Less(child, i) {
			break
		}
		h.Swap(i, child)
		i = child
	}
	return i > start
}
