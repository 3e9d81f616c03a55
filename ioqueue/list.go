package ioqueue

// Lists are circular and run through the slots, so that both ends of one are reached
// from its head and a member is removed without a walk. A head of 0 is empty.

// push puts a slot at the end of a list.
func (q *Queue) push(head *uint32, i uint32) {
	s := q.slots.At(i)
	if *head == 0 {
		*head, s.next, s.prev = i, i, i
		return
	}
	first := q.slots.At(*head)
	s.next, s.prev = *head, first.prev
	q.slots.At(first.prev).next = i
	first.prev = i
}

// remove takes a slot out of the list it is in. Its links are stale from then on: whoever
// puts it into another list sets them, and a free slot is zero.
func (q *Queue) remove(head *uint32, i uint32) {
	s := q.slots.At(i)
	if s.next == i {
		*head = 0
	} else {
		q.slots.At(s.prev).next = s.next
		q.slots.At(s.next).prev = s.prev
		if *head == i {
			*head = s.next
		}
	}
}
