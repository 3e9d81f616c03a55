package island

import "sync/atomic"

// bell tells the owner of an island that something which belongs to it has news. Whoever
// has put the news where the owner finds them rings: two atomic steps and no allocation,
// only one if the bell has rung and was not heard yet, and none while the owner watches.
type bell struct {
	watched atomic.Bool // the owner looks by itself: see watch
	rung    atomic.Bool // and not heard: it is in a list
	of      *Island
	next    *bell       // of those rung and not heard, the one before it
	serve   func()      // the owner's
	came    func() bool // the owner's: whether there are news; nil: it can only be rung
}

// ring may be called from any goroutine.
func (b *bell) ring() {
	if b.watched.Load() || b.rung.Load() || b.rung.Swap(true) {
		return
	}
	i := b.of
	for {
		last := i.news.Load()
		b.next = last
		if i.news.CompareAndSwap(last, b) {
			i.core.Inbox().Notify()
			return
		}
	}
}

// serveNews has everything looked at whose bell has rung, in the order of the first rings.
// A bell is heard first and what it is about looked at then: news that come between are
// seen, or ring again (docs/design.md#defects: wake lost between try and register).
func (i *Island) serveNews() {
	var first *bell
	for b := i.news.Swap(nil); b != nil; {
		b.next, first, b = first, b, b.next
	}
	for b := first; b != nil; {
		next := b.next
		b.next = nil
		b.rung.Store(false)
		b.serve()
		b = next
	}
}
