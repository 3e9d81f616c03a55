package island

import "slices"

// While the owner is awake it polls a few signals itself, so that senders need not raise them:
// then only the cache line of the value moves between processors (decision 0046). Before the owner
// sleeps it clears polled and looks once more, and a sender stores its value before it reads
// polled. All four are atomic accesses in one total order, so not both sides can miss the other:
// either the owner sees the value or the sender raises the signal.

// maxPolled bounds what the owner looks at in vain: each polled signal costs a load at every turn,
// and again and again while the clock spins. A port can have a thousand senders.
const maxPolled = 4

// startPolling does nothing if enough signals are polled, or if the loop has never called
// SleepUntil: such a loop does not say when it sleeps, so a value could stay unseen. The caller has
// just handled the signal. What arrives between that and the Store raises it, which costs one
// unneeded wake-up.
func (i *Island) startPolling(g *signal) {
	if i.parks && len(i.polled) < maxPolled && !g.polled.Load() {
		g.polled.Store(true)
		i.polled = append(i.polled, g)
	}
}

// stopPolling is for a link that was removed. Unlike stopAllPolling it need not look for data: the
// sender is done, and its last value has been taken.
func (i *Island) stopPolling(g *signal) {
	if at := slices.Index(i.polled, g); at >= 0 {
		g.polled.Store(false)
		i.polled = slices.Delete(i.polled, at, at+1)
	}
}

// handlePolled goes backward because a handler may stop the polling of any signal: those behind
// it, which then move forward, have been handled in this turn already.
func (i *Island) handlePolled() {
	for k := len(i.polled) - 1; k >= 0; k-- {
		if k < len(i.polled) && i.polled[k].pending() {
			i.polled[k].handle()
		}
	}
}

// pollPending tells whether a polled signal has something for the owner.
func (i *Island) pollPending() bool {
	for _, g := range i.polled {
		if g.pending() {
			return true
		}
	}
	return false
}

// stopAllPolling makes senders raise their signals again; it raises those with data itself. It must
// clear polled before it asks pending, for each signal: a value that is stored in between is then
// seen here, or by its sender's load of polled, or by both. The signal that is raised here notifies
// the inbox, so the loop that is about to sleep polls again instead.
func (i *Island) stopAllPolling() {
	for _, g := range i.polled {
		g.polled.Store(false)
		if g.pending() {
			g.raise()
		}
	}
	clear(i.polled) // do not keep the ports of other islands alive
	i.polled = i.polled[:0]
}
