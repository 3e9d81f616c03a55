package lua

// list holds routines in the order in which they were added.
type list struct{ head, tail *routine }

func (l *list) first() *routine { return l.head }

func (l *list) add(r *routine) {
	r.prev = l.tail
	if l.tail == nil {
		l.head = r
	} else {
		l.tail.next = r
	}
	l.tail = r
}

func (l *list) remove(r *routine) {
	if r.prev == nil {
		l.head = r.next
	} else {
		r.prev.next = r.next
	}
	if r.next == nil {
		l.tail = r.prev
	} else {
		r.next.prev = r.prev
	}
	r.next, r.prev = nil, nil
}
