package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// Words is an access by a native function.
func (w *watcher) Words(n []uint64, r []any, write bool) {
	w.words(w.now(), kindOf(write, false), "", n, r)
}

// Map is a read of a map by a native function.
func (w *watcher) Map(m *value.Map) {
	w.whole(w.now(), race.Read, "", m)
}

// Acquire is sync.acquire.
func (w *watcher) Acquire(object, key value.Interface) {
	if t := w.now(); t != nil {
		w.races.Acquire(t, synchronized(object, key))
	}
}

// Release is sync.release, or sync.merge.
func (w *watcher) Release(object, key value.Interface, merge bool) {
	switch t := w.now(); {
	case t == nil:
	case merge:
		w.races.Merge(t, synchronized(object, key))
	default:
		w.races.Release(t, synchronized(object, key))
	}
}

// synchronized identifies a key of an object. Keys that have no identity share that of the object.
func synchronized(object, key value.Interface) any {
	type part struct{ object, key any }
	at := part{object: value.AddressOf(object.R)}
	switch {
	case key.T == nil || !key.T.Direct():
	case key.T.Kind == code.Pointer:
		at.key = value.AddressOf(key.R)
	default:
		at.key = key
	}
	return at
}

// Adding is a change of the counter of a wait group. Group.Wait sees what was done before the
// decreases.
func (w *watcher) Adding(group *value.Object, n, delta int) {
	t := w.now()
	switch {
	case t == nil:
	case delta < 0:
		w.races.Merge(t, part0(group))
	case n == 0 && delta > 0:
		w.races.Words(t, race.Read, "the wait group (Add from 0)", group.N[:1])
	}
}

// Waiting is a call of Wait. Several at once are right, but not one with an Add from 0.
func (w *watcher) Waiting(group *value.Object) {
	if t := w.now(); t != nil {
		w.races.Words(t, race.AtomicWrite, "the wait group (Wait)", group.N[:1])
	}
}

// part0 is what sync.acquire of an object without a key acquires.
func part0(o *value.Object) any {
	return synchronized(value.Interface{Packed: value.Packed{R: o}}, value.Interface{})
}

// TimerSet is the clock of the goroutine that sets a timer.
func (w *watcher) TimerSet() race.Clock {
	if t := w.now(); t != nil {
		return t.Snapshot()
	}
	return nil
}

// TimerSent is the send of a timer.
func (w *watcher) TimerSent(set race.Clock, ch *value.Words, woken fiber.Wakeup) {
	if w.races == nil {
		return
	}
	w.races.SentBy(set, ch, ch.Cap(), w.woken(woken))
}
