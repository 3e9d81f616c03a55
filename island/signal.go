package island

import "sync/atomic"

// signal tells the owner of an island that something was left for it: in the mailbox, in a
// port's ring, or an answer. A signal that is raised already, or that the owner polls (poll.go),
// costs its sender one or two loads of a line that nothing writes meanwhile; else two atomic
// writes. It never allocates.
//
// Order: store the data, then raise. The owner clears raised, then looks at the data. Of the two
// accesses to raised, the sender's Swap and the owner's Store, one comes first:
//
//   - the Store: then the Swap finds false, and the signal goes into the list again;
//   - the Swap: then it finds true and does nothing, but the owner sees what the sender stored
//     before, because it looks after its own Store.
//
// So no wake-up is lost (I9). A signal carries no data and no count: several raises may be handled
// at once, and a handler must expect to find nothing.
type signal struct {
	// polled is written by the owner only: while it is true the owner asks pending by itself.
	polled atomic.Bool
	// raised is true from the raise until the owner handles it. Exactly one goroutine changes it
	// from false to true, and that one puts the signal into the list; so it is there once.
	raised atomic.Bool
	owner  *Island
	// next is the signal that was raised before this one, in the owner's list. It belongs to the
	// goroutine that set raised until the signal is in the list, and then to the owner until it
	// clears raised.
	next    *signal
	handle  func()      // called by the owner
	pending func() bool // whether there is data; called by the owner. nil: it cannot be polled
}

// raise may be called from any goroutine, also by the owner itself.
func (g *signal) raise() {
	// The loads keep the line shared among the senders; only a Swap takes it away from them. polled
	// must be read after the data was stored: see poll.go.
	if g.polled.Load() || g.raised.Load() || g.raised.Swap(true) {
		return
	}
	i := g.owner
	for {
		last := i.raised.Load()
		g.next = last
		if i.raised.CompareAndSwap(last, g) {
			// After the push, so that the owner finds the signal in the poll that this causes. If
			// the owner has taken the list since the Load and last is at its head again, that is
			// right as well: next only has to be the present head.
			i.core.Inbox().Notify()
			return
		}
	}
}

// handleSignals handles all raised signals, in the order in which they were first raised. Those that
// are raised meanwhile, also by the handlers, are left for the next call.
func (i *Island) handleSignals() {
	var first *signal
	for g := i.raised.Swap(nil); g != nil; { // reverses the list
		g.next, first, g = first, g, g.next
	}
	for g := first; g != nil; {
		// next is read and cleared first: as soon as raised is false another goroutine may put the
		// signal into the list again, and write next.
		next := g.next
		g.next = nil
		g.raised.Store(false) // before the data is looked at
		g.handle()
		g = next
	}
}
