package reactor

// nextResult removes the next slice that can be taken back from inFlight and returns it, or
// nil. An ordered run looks at all results first, because the slice that is next may have ended
// last. A result of no slice in flight is counted and dropped.
func (r *Reactor[T]) nextResult() *Slice[T] {
	for len(r.results) > 0 {
		at := r.indexOf(r.results[0])
		r.results[0] = result[T]{}
		r.results = r.results[1:]
		switch {
		case at < 0:
			r.unexpected++
		case r.cfg.Ordered:
			r.inFlight[at].ended = true // it is taken back when all before it have been
		default:
			return r.takeBack(at)
		}
	}
	if r.firstEnded() {
		return r.takeBack(0)
	}
	return nil
}

// indexOf finds the slice of a result. Slices are used again, so the hand-out must match too. The
// search is short: there are at most Config.InFlight, by default two for each worker.
func (r *Reactor[T]) indexOf(ended result[T]) int {
	for i, s := range r.inFlight {
		if s == ended.slice && s.handOut == ended.handOut && !s.ended {
			return i
		}
	}
	return -1
}

// takeBack removes a slice from inFlight and keeps the order of the others, on which an ordered
// run relies.
func (r *Reactor[T]) takeBack(i int) *Slice[T] {
	s := r.inFlight[i]
	copy(r.inFlight[i:], r.inFlight[i+1:])
	r.inFlight[len(r.inFlight)-1] = nil
	r.inFlight = r.inFlight[:len(r.inFlight)-1]
	return s
}

// hasResult reports whether the next turn has a slice to take back.
func (r *Reactor[T]) hasResult() bool { return len(r.results) > 0 || r.firstEnded() }

// firstEnded reports, in an ordered run, whether the oldest slice in flight has ended.
func (r *Reactor[T]) firstEnded() bool { return len(r.inFlight) > 0 && r.inFlight[0].ended }
