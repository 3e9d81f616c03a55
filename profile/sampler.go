package profile

import "sync/atomic"

// MaxFrames is how many calls of a stack a sample has: the innermost ones.
const MaxFrames = 128

// Frame is one call of a stack.
type Frame struct {
	Function string // the name in the program
	File     string // where it is defined, as messages of the program name it; empty if it is not of the program
	Line     int    // the line that executes, from 1; 0 if it is not known
	Start    int    // the line where the function begins; 0 if it is not known
}

// Fiber says which fiber executes. Both texts are labels of its samples: ID as "fiber", Name as "name".
type Fiber struct{ ID, Name string }

// Sampler is the part of a Profile that belongs to one scheduler. Engines use it; a host only passes the
// Profile to them. One goroutine at a time, the one that runs the scheduler, calls its methods.
type Sampler struct {
	of      *Profile
	due     atomic.Int64 // nanoseconds that the next sample stands for
	running atomic.Bool
	always  bool // a sample may become due at any time
	steps   int  // Config.Steps
	count   int  // steps since the last sample
}

// NewSampler makes the Sampler of a scheduler. Close removes it.
func (p *Profile) NewSampler() *Sampler {
	s := &Sampler{of: p, steps: p.cfg.Steps, always: p.cfg.Steps > 0 || p.cfg.Interval < 0}
	p.mu.Lock()
	p.samplers[s] = struct{}{}
	p.mu.Unlock()
	return s
}

// Close ends the Sampler: it gets no more time. What it has sampled stays in the Profile.
func (s *Sampler) Close() {
	s.End()
	s.of.mu.Lock()
	delete(s.of.samplers, s)
	s.of.mu.Unlock()
}

// Begin says that a fiber executes from now on.
func (s *Sampler) Begin() { s.running.Store(true) }

// End says that no fiber executes from now on.
func (s *Sampler) End() { s.running.Store(false) }

// Due counts a step and reports whether a sample is to be taken now. It costs a load of a variable that
// seldom changes.
func (s *Sampler) Due() bool {
	if s.steps > 0 {
		return s.step()
	}
	return s.due.Load() != 0
}

func (s *Sampler) step() bool {
	s.count++
	return s.count >= s.steps
}

// Soon reports whether a sample may become due before long. An engine to which it costs much to ask Due does so at
// each of its points only then, and in between at any longer distance.
func (s *Sampler) Soon() bool { return s.always || s.of.soon.Load() }

// Pending reports whether time has passed that no sample stands for yet. It counts no step.
func (s *Sampler) Pending() bool { return s.due.Load() != 0 }

// Take adds a sample of the fiber, for the time since the last one. The calls are the innermost first;
// Take keeps at most MaxFrames of them, and none of the memory. A stack without calls is left out, and
// the time goes to the next sample.
func (s *Sampler) Take(of Fiber, stack []Frame) {
	if len(stack) == 0 {
		return
	}
	value := s.due.Swap(0)
	if s.steps > 0 {
		value, s.count = int64(s.count), 0
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if !s.of.stopped {
		s.of.table.add(of, stack[:min(len(stack), MaxFrames)], value)
	}
}
