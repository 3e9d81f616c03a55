package lua

// Charge pays for n steps of work that the Go function which executes is about to do, in the unit of
// instructions. It may end the time slice: other fibers may have changed any table when it returns, and
// if the fiber was killed or cancelled it does not return. A function that can divide its work pays for
// each part before it does it.
func (s *State) Charge(n int64) { s.meter.Charge(n) }

// ChargeBytes is Charge for n bytes that the function reads or writes: 256 bytes are a step.
func (s *State) ChargeBytes(n int) { s.meter.ChargeBytes(n) }

// Alloc counts n bytes against the memory quota, which the Go function that executes is about to
// allocate and the program can keep. Strings that a Go function returns count by themselves. Like Charge it
// may end the time slice, and it does not return if the memory is not there.
func (s *State) Alloc(n int64) { s.meter.Alloc(n) }

// AllocBefore is Alloc for what a function is called with, before it executes: the next Alloc finds out
// whether the quota is passed.
func (s *State) AllocBefore(n int64) { s.meter.Room -= n }
