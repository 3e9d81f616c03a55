package reactor

// groupQueues holds, for each group with a slice in flight, the slices that wait behind it. A
// waiting slice had its turn in the scheduler already: its fiber is Running and lent. Left in the
// ready queue it would be taken out and put back at every turn, and an idle loop would poll.
//
// Invariant: a group has an entry from the hand-out of a slice until the owner has ended it, and
// there is one such slice at a time. Map order decides nothing: only single groups are looked up.
type groupQueues[T any] map[Group][]*Slice[T]

// admit reports whether the slice may be handed out now. Otherwise it queues the slice.
func (q groupQueues[T]) admit(s *Slice[T]) bool {
	if s.group == 0 {
		return true
	}
	waiting, busy := q[s.group] // present, though often empty, while a slice is in flight
	if busy {
		waiting = append(waiting, s)
	}
	q[s.group] = waiting
	return !busy
}

// release ends the turn of the group's slice and returns the slice that is next, or nil.
func (q groupQueues[T]) release(g Group) *Slice[T] {
	waiting := q[g]
	if len(waiting) == 0 {
		delete(q, g)
		return nil
	}
	next := waiting[0]
	waiting[0] = nil
	q[g] = waiting[1:]
	return next
}
