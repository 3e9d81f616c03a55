package island

import "sync/atomic"

// signal tells the owner of an island that something was left for it: in the mailbox, in a
// port's ring, or an answer. Raising it costs two atomic steps, one if it is raised already,
// and none while the owner polls it (poll.go). It never allocates.
//
// Order: store the data, then raise. The owner clears the signal, then looks at the data. So
// data that arrives while it looks raises the signal again, and no wake-up is lost.
type signal struct {
	polled  atomic.Bool // the owner polls pending instead
	raised  atomic.Bool // and not handled: it is in the owner's list
	owner   *Island
	next    *signal     // in that list: the one raised before
	handle  func()      // called by the owner
	pending func() bool // whether there is data; called by the owner. nil: it cannot be polled
}

// raise may be called from any goroutine.
func (g *signal) raise() {
	if g.polled.Load() || g.raised.Load() || g.raised.Swap(true) {
		return
	}
	i := g.owner
	for {
		last := i.raised.Load()
		g.next = last
		if i.raised.CompareAndSwap(last, g) {
			i.core.Inbox().Notify()
			return
		}
	}
}

// handleSignals handles all raised signals, in the order in which they were first raised.
func (i *Island) handleSignals() {
	var first *signal
	for g := i.raised.Swap(nil); g != nil; { // reverses the list
		g.next, first, g = first, g, g.next
	}
	for g := first; g != nil; {
		next := g.next
		g.next = nil
		g.raised.Store(false) // before the data is looked at
		g.handle()
		g = next
	}
}
