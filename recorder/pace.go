package recorder

// How long it takes from one reading of the clock to the next, if it is not read in each turn.
const (
	shortest = 4_000 // nanoseconds
	longest  = 4 * shortest
	maxTurns = 64
)

// pace decides when the clock is read: in each turn of the loop, but every few turns while turns are short.
// Before and after the loop sleeps the clock is always read.
type pace struct {
	read  func() int64
	exact bool
	now   int64 // of the last reading
	every int   // turns from one reading to the next, 1 to maxTurns
	turns int   // since the last reading
	slept bool
}

// detailed reports whether a turn is long enough to look at the waits that begin in it.
func (p *pace) detailed() bool { return p.exact || p.every == 1 }

// tick is called after some turns, or with 0 in the middle of one. It reads the clock if that is due.
func (p *pace) tick(turns int, idle bool) (at int64, read bool) {
	p.turns += turns
	switch {
	case p.exact, p.slept, idle:
		p.slept = idle
		return p.force(), true
	case turns == 0, p.turns < p.every:
		return 0, false
	}
	before, of := p.now, int64(p.turns)
	took := p.force() - before
	switch {
	case took < shortest:
		p.every = min(2*p.every, maxTurns)
	case took > of*shortest: // each of them was long
		p.every = 1
	case took > longest:
		p.every = max(p.every/2, 1)
	}
	return p.now, true
}

// force reads the clock.
func (p *pace) force() int64 {
	p.now, p.turns = max(p.now, p.read()), 0
	return p.now
}
