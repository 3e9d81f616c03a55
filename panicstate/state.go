package panicstate

// State is the machine of one fiber. The zero State is idle. It belongs to the code that
// runs the fiber. All operations are amortised O(1) and allocate only to grow.
//
// Invariants, checked by the tests after every operation:
//   - pending is sorted by frame; running frames strictly grow;
//   - the levels of unwinds never go down and none is above len(running); of one
//     level, each is weaker than the one before it;
//   - a running call that is unwound belongs to the last panic of its level;
//   - generations of unwinds grow and none is above generation;
//   - a Fatal panic is alone, and nothing is pending or running.
type State struct {
	pending    []pending
	running    []running
	unwinds    []unwind
	generation uint64
	over       bool // nothing is left to run
}

// pending is a deferred call that has not run.
type pending struct {
	Deferred
	generation uint64 // only later panics can be recovered by it
}

// running is a deferred call that has not returned.
type running struct {
	frame      int // that registered it; it runs as frame+1
	generation uint64
	unwound    bool // run by the last panic of its level, not by a return
}

// unwind is a panic that is not over.
type unwind struct {
	Panic
	level     int // how many calls were running around what it unwinds
	recovered bool
}

// top is the latest panic that is not over, nil if there is none.
func (s *State) top() *unwind {
	if n := len(s.unwinds); n > 0 {
		return &s.unwinds[n-1]
	}
	return nil
}

// floor is the lowest frame of the innermost running call: what runs there cannot
// unwind or return from frames below it.
func (s *State) floor() (frame int, inDefer bool) {
	if n := len(s.running); n > 0 {
		return s.running[n-1].frame + 1, true
	}
	return 0, false
}

// inside reports whether a frame belongs to the innermost running call, or to anything
// if none runs.
func (s *State) inside(frame int) bool {
	floor, inDefer := s.floor()
	return !inDefer || frame >= floor
}

// Begin raises a panic from the code that runs now; its site is captured by the
// caller. NextDefer is due then. Fatal may be raised in any phase, ends it and drops
// every deferred call; while one is in force nothing else has any effect.
func (s *State) Begin(kind Kind, value any, site string) {
	s.Adopt(Panic{Kind: kind, Value: value, Site: site})
}

// Adopt raises the panic another machine ended with: a trampoline's, in its caller
// (I7). Value, kind and site stay; the generation is at least as high as it was there
// and later than every deferred call here, so that those can recover it.
func (s *State) Adopt(p Panic) {
	switch phase := s.Phase(); {
	case p.Kind < Recoverable || p.Kind > Fatal:
		s.refuse("Begin", "raise a panic of a known kind")
	case phase == UnwindingFatal:
		return
	case p.Kind != Fatal && (phase == Unwinding || phase == Ended):
		s.refuse("Begin", "no guest code runs here that could raise it; call NextDefer, or end the fiber")
	}
	s.generation = max(s.generation+1, p.Generation)
	p.Generation = s.generation
	if p.Kind == Fatal {
		s.drop()
		s.over = true
	}
	s.unwinds = append(s.unwinds, unwind{Panic: p, level: len(s.running)})
}

// Active is the panic in force: the latest that is not recovered. It is what a report
// shows; false if there is none.
func (s *State) Active() (Panic, bool) {
	for n := len(s.unwinds) - 1; n >= 0; n-- {
		if u := s.unwinds[n]; !u.recovered {
			return u.Panic, true
		}
	}
	return Panic{}, false
}

// Outcome is what the fiber ends with: the strongest panic that was not recovered. It
// is false unless the phase is Ended or Doomed. A weaker panic raised while the fiber
// was exiting does not become the outcome; Active still shows it.
func (s *State) Outcome() (Panic, bool) {
	if !s.over {
		return Panic{}, false
	}
	return s.unwinds[0].Panic, true
}

// Reset makes the machine ready for the next fiber of the slot and keeps its memory.
func (s *State) Reset() {
	s.drop()
	s.generation, s.over = 0, false
}

// drop forgets every call and panic, and lets their values go.
func (s *State) drop() {
	clear(s.pending)
	clear(s.unwinds)
	s.pending, s.running, s.unwinds = s.pending[:0], s.running[:0], s.unwinds[:0]
}
