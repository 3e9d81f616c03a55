package scheduler

import (
	"github.com/selvage-dev/selvage/internal/invariants"
)

// pass is the gate: the one place where a scheduling state is written. It knows the
// state each edge starts from and that no state changes while a wait is armed (I13),
// refuses anything else by name, and writes the history. raw is the slot's wire form.
//
// The gate knows single fibers only. What else a transition has to change (the ready queue, cur, a
// count) its caller changes in the same operation; the audit compares the two.
func (c *Core) pass(h *header, e edge, raw uint32) {
	c.admit(h, e)
	c.history[c.step%historyLen] = Entry{e, raw}
	c.step++
}

// passSlow is pass within an operation on its slow path, which may make any number of transitions: the
// recorder receives the history before an entry that it has not seen is overwritten. The entry says whether
// a fiber was current.
func passSlow(c *Core, h *header, e edge, raw uint32) {
	if c.step >= c.restUntil && c.recording != nil {
		c.recording.flush(0, false)
	}
	if c.cur == c.none {
		c.admit(h, e)
		c.history[c.step%historyLen] = Entry{e | detached, raw}
		c.step++
		return
	}
	c.pass(h, e, raw)
}

// passCurrent is pass for the root that is current, small enough to leave room for more in
// what a host's loop inlines.
func (c *Core) passCurrent(e edge) {
	c.admit(c.cur, e)
	c.history[c.step%historyLen] = Entry{e, uint32(c.curID)}
	c.step++
}

// passKnown is pass for a hot transition whose own first compare, with gateMask in its
// mask, has just been the gate's: the fiber is where the edge starts. It changes flags in
// the same step: w is the word with its new flags and the old state. Writing a word twice
// in a row would cost more than the rest, because each write waits for the one before it.
func (c *Core) passKnown(h *header, w word, e edge, raw uint32) {
	if invariants.On && w&gateMask != e&stateMask {
		panic(c.faults[(w|e)%numFaults])
	}
	h.word = w ^ e>>flipShift
	c.history[c.step%historyLen] = Entry{e, raw}
	c.step++
}

// admit is the gate itself. ScheduleNext, whose every mounting is followed by a
// recorded transition of the same fiber, spares itself the history.
func (c *Core) admit(h *header, e edge) {
	if h.word&gateMask != e&stateMask {
		panic(c.faults[(h.word|e)%numFaults])
	}
	h.word ^= e >> flipShift
}

// settled ends an operation in the checked build: the whole location table is
// compared with the states. Elsewhere it is nothing, and the compiler removes the call.
func (c *Core) settled() {
	if invariants.On {
		c.verify()
	}
}

// endFast ends a fast path in the checked build.
func (c *Core) endFast() {
	c.verify()
	c.dropOwnership()
}

// Recent is the history that an error report would show now, oldest first: at most the last 64
// transitions. It allocates a copy.
func (f Inspect) Recent() []Event {
	c := f.core
	n := min(c.step, reportedLen)
	events := make([]Event, 0, n)
	for i := c.step - n; i < c.step; i++ {
		events = append(events, c.history[i%historyLen].event())
	}
	return events
}
