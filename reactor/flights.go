package reactor

// next is the slice to be taken back, off the list of flights, or nil. A result of a flight
// that has landed, or that there never was, is counted and forgotten.
func (r *Reactor[T]) next() *Slice[T] {
	for len(r.arrived) > 0 {
		at := r.flightOf(r.arrived[0])
		r.arrived[0] = result[T]{}
		r.arrived = r.arrived[1:]
		switch {
		case at < 0:
			r.strays++
		case r.cfg.Ordered:
			r.flights[at].done = true
		default:
			return r.land(at)
		}
	}
	if r.firstDone() {
		return r.land(0)
	}
	return nil
}

func (r *Reactor[T]) flightOf(ended result[T]) int {
	for i, s := range r.flights {
		if s == ended.slice && s.flight == ended.flight && !s.done {
			return i
		}
	}
	return -1
}

func (r *Reactor[T]) land(i int) *Slice[T] {
	s := r.flights[i]
	copy(r.flights[i:], r.flights[i+1:])
	r.flights[len(r.flights)-1] = nil
	r.flights = r.flights[:len(r.flights)-1]
	return s
}

// landed tells whether there is a result for the next turn.
func (r *Reactor[T]) landed() bool { return len(r.arrived) > 0 || r.firstDone() }

// firstDone is for an ordered run.
func (r *Reactor[T]) firstDone() bool { return len(r.flights) > 0 && r.flights[0].done }
