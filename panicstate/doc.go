// Package panicstate is the panic, unwind and recover machine of one fiber (docs/design.md#panic-state):
// which deferred call runs next, which panic is in force, what a recover gets.
//
// The tables it owns, one State per fiber that has ever deferred or panicked: the
// deferred calls not run yet, those running now, and the stack of panics being
// unwound. Call frames stay the host's. The machine only knows their numbers, larger
// is deeper, and that a call deferred by frame f runs as frame f+1.
//
// The host's part is short. It registers with Defer. When frame f returns it runs what
// Return(f) gives, until nothing. When something panics it calls Begin, then runs what
// NextDefer gives, until nothing (the fiber ends) or until EndDefer says Recovered
// (that frame returns). Each deferred call that returns is followed by EndDefer; one
// that does not return panicked, and NextDefer leaves it behind by itself.
//
// What it never does: run code, or touch the scheduling state. A fiber is Running
// while it unwinds, may block inside a deferred call, and comes back to the same
// unwind (I6).
package panicstate
