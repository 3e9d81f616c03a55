package opqueue

// Lists are circular and linked through the slots, so both ends are reached from the head
// and a member is removed in constant time. A head of 0 is the empty list.

// push puts a slot, number i, at the end of a list.
func (q *Queue) push(head *uint32, i uint32, s *slot) {
	if *head == 0 {
		*head, s.next, s.prev = i, i, i
		return
	}
	q.pushSlow(*head, i, s)
}

func (q *Queue) pushSlow(head, i uint32, s *slot) {
	first := q.slots.at(head)
	s.next, s.prev = head, first.prev
	q.slots.at(first.prev).next = i
	first.prev = i
}

// remove takes a slot out of the list it is in. Its links are stale then; push sets them.
func (q *Queue) remove(head *uint32, i uint32, s *slot) {
	if s.next == i {
		*head = 0
		return
	}
	q.removeSlow(head, i, s)
}

func (q *Queue) removeSlow(head *uint32, i uint32, s *slot) {
	q.slots.at(s.prev).next = s.next
	q.slots.at(s.next).prev = s.prev
	if *head == i {
		*head = s.next
	}
}
