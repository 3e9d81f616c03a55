package replay

import "slices"

// queue is the ready queue.
type queue struct {
	all  []*root
	head int
}

func (q *queue) len() int { return len(q.all) - q.head }

func (q *queue) first() *root {
	if q.len() == 0 {
		return nil
	}
	return q.all[q.head]
}

func (q *queue) push(f *root) { q.all = append(q.all, f) }

// pushFront makes room in front in proportion to how many there are, when it needs some.
func (q *queue) pushFront(f *root) {
	if q.head == 0 {
		q.head = len(q.all)/2 + 4
		all := make([]*root, q.head+len(q.all))
		copy(all[q.head:], q.all)
		q.all = all
	}
	q.head--
	q.all[q.head] = f
}

// remove takes out one that is likely to be the first, or near the end.
func (q *queue) remove(f *root) {
	if q.first() == f {
		q.pop()
		return
	}
	for i := len(q.all) - 1; i >= q.head; i-- {
		if q.all[i] == f {
			q.all = slices.Delete(q.all, i, i+1)
			return
		}
	}
}

// pop removes the first, and what is empty of the memory when that is most of it.
func (q *queue) pop() {
	q.all[q.head] = nil
	q.head++
	if 2*q.head > len(q.all) {
		n := copy(q.all, q.all[q.head:])
		clear(q.all[n:])
		q.all, q.head = q.all[:n], 0
	}
}
