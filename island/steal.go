package island

import (
	"runtime"

	"github.com/selvage-dev/selvage/scheduler"
)

// How fibers get from one worker to another. The one that wants some, the thief, says so in
// its own answer word: asked, and for how many it has room. Whoever has some puts a parcel
// there, by one step from what it has read there to the parcel, and the thief takes what is
// there by one step to nil, whenever it likes. So nobody waits for a worker that the machine
// has put aside, and what was packed for a thief that had enough of waiting, or that has
// other room by now, goes back.
//
// Who is to pack is told in two ways: a thief that is awake puts itself into the request
// word of a victim, which looks there between its slices; one that sleeps is in the hall,
// where a worker that has plenty looks for somebody to send a parcel to.

// parcel is fibers on their way, the oldest first. It is used again by whoever received it.
type parcel[T any] struct {
	fibers []scheduler.Moved[T]
	room   int // of one that stands for a request: for how many; never changes
}

// asks tells whether what stands in an answer word is a request. It does not look at fibers,
// which are the thief's as soon as they are there.
func (p *parcel[T]) asks() bool { return p != nil && p.room > 0 }

// mostMoved bounds a parcel, and so how long a victim packs.
const mostMoved = 64

// A thief asks a victim for about as long as it takes to be put to sleep and woken.
const (
	patience = 64 // how often it lets others run
	glances  = 32 // at its answer, each time
)

// share gives fibers to whoever wants some.
func (w *worker[T]) share() {
	spare := w.ready() / 2
	w.setRich(spare > 0)
	if thief := w.asks.Load(); thief != nil {
		w.give(thief)
	}
	if spare > 0 && w.pool.hall.idlers.Load() > 0 && w.looks >= w.shy {
		w.send()
	}
}

// setRich tells others whether to ask. The word is written only when it changes.
func (w *worker[T]) setRich(rich bool) {
	if w.rich.Load() != rich {
		w.rich.Store(rich)
	}
}

// give answers the worker that asks, if one does.
func (w *worker[T]) give(thief *worker[T]) {
	if thief == nil {
		return
	}
	w.deliver(thief)
	w.asks.CompareAndSwap(thief, nil) // an answer too; it may have gone, and another come
}

// send gives to one of those that sleep, and wakes it.
func (w *worker[T]) send() {
	thief, visit := w.pool.hall.pick()
	if thief != nil && !w.deliver(thief) {
		w.shy = w.looks + seldom
		w.pool.hall.putBack(thief, visit)
	}
}

// deliver packs the oldest half of what is ready for the thief, and tells whether it has
// got it.
func (w *worker[T]) deliver(thief *worker[T]) bool {
	wish := thief.answer.Load()
	if !wish.asks() {
		return false
	}
	n := min(w.ready()/2, wish.room)
	if n == 0 {
		return false
	}
	p := w.spare
	if p == nil {
		p = new(parcel[T])
	}
	p.fibers = w.s.Moves().MoveOutLast(n, p.fibers)
	w.spare = p
	if len(p.fibers) == 0 {
		return false
	}
	if thief.answer.CompareAndSwap(wish, p) {
		w.spare = nil
		thief.s.Inbox().Notify() // it may sleep, even if it was awake when it asked
		return true
	}
	w.unpack(p)
	return false
}

// unpack brings in the fibers of a parcel, the newest at the front as they were.
func (w *worker[T]) unpack(p *parcel[T]) {
	for i := len(p.fibers) - 1; i >= 0; i-- {
		if _, err := w.s.Moves().MoveIn(p.fibers[i]); err != nil {
			panic(err) // it has room, and is not stopping
		}
	}
	clear(p.fibers)
	p.fibers = p.fibers[:0]
	w.spare = p
}

// wantFibers makes the worker one that can be given some.
func (w *worker[T]) wantFibers() (wish *parcel[T]) {
	wish = &w.pool.asked[min(max(w.vacancy(), 0), mostMoved)]
	w.answer.Store(wish)
	return wish
}

// receive ends that, and tells whether it was given some.
func (w *worker[T]) receive() bool {
	p := w.answer.Swap(nil)
	if p == nil || len(p.fibers) == 0 {
		return false
	}
	w.unpack(p)
	return true
}

// steal asks the others, one after the other from a random one on.
func (w *worker[T]) steal() bool {
	if w.vacancy() <= 0 {
		return false
	}
	all := w.pool.workers
	first := w.rng.IntN(len(all))
	for i := range all {
		victim := all[(first+i)%len(all)]
		if victim != w && victim.rich.Load() && w.stealFrom(victim) {
			return true
		}
	}
	return false
}

// stealFrom asks one worker and waits a little. If it is busy, or put aside by the machine,
// another may be better.
func (w *worker[T]) stealFrom(victim *worker[T]) bool {
	wish := w.wantFibers()
	if victim.asks.CompareAndSwap(nil, w) {
		open := func() bool { return w.answer.Load() == wish && victim.asks.Load() == w }
		for i := 0; open() && i < patience; i++ {
			for j := 0; open() && j < glances; j++ {
			}
			runtime.Gosched()
		}
		victim.asks.CompareAndSwap(w, nil)
	}
	return w.receive()
}
