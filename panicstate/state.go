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
//   - a Fatal panic is alone, and nothing is pending or running;
//   - handed only while unwinding.
type State struct {
	pending    []pending
	running    []running
	unwinds    []unwind
	generation uint64
	over       bool // nothing is left to run
	handed     bool // the last panic was adopted, and the native code that made the call still runs
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
//
// Native code whose call has handed a panic over (Adopt) may raise one too: it is how the native
// code passes the failure on. The panic that was handed over then stays in force as it is, with
// its value and site, unless the new one is stronger and replaces it.
func (s *State) Begin(kind Kind, value any, site string) {
	p := Panic{Kind: kind, Value: value, Site: site}
	if !s.handed || kind < Recoverable || kind >= Fatal {
		s.raise("Begin", p)
		return
	}
	if kind > s.top().Kind {
		s.cut(len(s.unwinds) - 1)
		s.raise("Begin", p)
	}
	s.handed = false
}

// Adopt raises the panic another machine ended with: a trampoline's, in its caller
// (I7). Value, kind and site stay; the generation is at least as high as it was there
// and later than every deferred call here, so that those can recover it. The native code that
// made the call still runs, until it asks for NextDefer.
func (s *State) Adopt(p Panic) {
	s.raise("Adopt", p)
	s.handed = !s.over
}

// Handed is the panic that a native call has handed over, while the code that made the call runs.
func (s *State) Handed() (p Panic, ok bool) {
	if s.handed {
		p = s.top().Panic
	}
	return p, s.handed
}

func (s *State) raise(op string, p Panic) {
	switch phase := s.Phase(); {
	case p.Kind < Recoverable || p.Kind > Fatal:
		s.refuse(op, "raise a panic of a known kind")
	case phase == UnwindingFatal:
		return
	case p.Kind != Fatal && (phase == Unwinding || phase == Ended):
		s.refuse(op, "no guest code runs here that could raise it; call NextDefer, or end the fiber")
	}
	s.generation = max(s.generation+1, p.Generation)
	p.Generation = s.generation
	if p.Kind == Fatal {
		s.drop()
		s.over = true
	}
	s.unwinds = append(s.unwinds, unwind{Panic: p, level: len(s.running)})
}

// Pending is how many deferred calls have not run.
func (s *State) Pending() int { return len(s.pending) }

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
	s.pending, s.running, s.unwinds, s.handed = s.pending[:0], s.running[:0], s.unwinds[:0], false
}
