package reactor

// lines keeps the slices of a group in order. A group that is here has a slice with the
// workers; those behind it are Running, and lent, from their turn on.
type lines[T any] map[Group][]*Slice[T]

// enter tells whether the slice may run now; else it stands in line.
func (l lines[T]) enter(s *Slice[T]) bool {
	if s.group == 0 {
		return true
	}
	behind, busy := l[s.group]
	if busy {
		behind = append(behind, s)
	}
	l[s.group] = behind
	return !busy
}

// leave is the end of the group's slice. It is the next one's turn, if there is one.
func (l lines[T]) leave(g Group) *Slice[T] {
	behind := l[g]
	if len(behind) == 0 {
		delete(l, g)
		return nil
	}
	next := behind[0]
	behind[0] = nil
	l[g] = behind[1:]
	return next
}
