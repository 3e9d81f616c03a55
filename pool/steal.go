package pool

import (
	"runtime"

	"github.com/selvage-dev/selvage/scheduler"
)

// The steal protocol. Each worker has a reply word. A thief opens a request by storing a
// pointer to one of Pool.requests there, which says for how many fibers it has room. A victim
// packs a batch and replaces that very pointer by the batch, with one compare-and-swap. The
// thief closes the request by swapping the word to nil and owns whatever was in it. So neither
// waits for the other: if the thief has closed the request, or opened another one with less
// room, the compare-and-swap fails and the victim puts its fibers back.
//
// A victim learns of a request in one of two ways. A thief that is awake stores itself in the
// victim's thief word, which the victim polls between slices. A thief that sleeps is on the
// coordinator's idle list, where a worker with spare fibers looks for it.

// stolenBatch is fibers in transit, oldest first. The receiver reuses it. One with room > 0 is
// a request: it stays in Pool.requests, is never written, and has no fibers.
type stolenBatch[T any] struct {
	fibers []scheduler.Moved[T]
	room   int
}

// isRequest does not look at fibers: they belong to the thief as soon as the batch is in the
// reply word.
func (b *stolenBatch[T]) isRequest() bool { return b != nil && b.room > 0 }

// maxStolen limits a batch, and so the time for which a victim packs.
const maxStolen = 64

// A thief waits for a victim about as long as a thread takes to fall asleep and wake up.
const (
	stealYields = 64 // how often it yields its thread
	stealSpins  = 32 // how often it reads its reply word before each
)

// shareFibers gives fibers to a worker that wants some.
func (w *worker[T]) shareFibers() {
	spare := w.ready() / 2
	w.setHasSpare(spare > 0)
	if thief := w.thief.Load(); thief != nil {
		w.answer(thief)
	}
	if spare > 0 && w.pool.shared.idleWithRoom.Load() > 0 && w.checks >= w.noPushTill {
		w.push()
	}
}

// setHasSpare writes only changes, to keep the cache line with those that read it.
func (w *worker[T]) setHasSpare(spare bool) {
	if w.hasSpare.Load() != spare {
		w.hasSpare.Store(spare)
	}
}

// answer serves the worker in the thief word and clears the word, which also tells the thief
// that there was nothing for it. By then the thief may have gone and another may have come.
func (w *worker[T]) answer(thief *worker[T]) {
	if thief == nil {
		return
	}
	w.send(thief)
	w.thief.CompareAndSwap(thief, nil)
}

// push sends fibers to an idle worker. If none can move, it does not try again soon: looking
// for them takes time.
func (w *worker[T]) push() {
	thief, epoch := w.pool.shared.takeIdle()
	if thief != nil && !w.send(thief) {
		w.noPushTill = w.checks + rareCheck
		w.pool.shared.returnIdle(thief, epoch)
	}
}

// send moves the oldest half of the ready fibers to the thief, as far as they can move and it
// has room, and tells whether the thief got any.
func (w *worker[T]) send(thief *worker[T]) bool {
	request := thief.reply.Load()
	if !request.isRequest() {
		return false
	}
	n := min(w.ready()/2, request.room)
	if n == 0 {
		return false
	}
	b := w.reusable
	if b == nil {
		b = new(stolenBatch[T])
	}
	b.fibers = w.s.Moves().MoveOutLast(n, b.fibers)
	w.reusable = b
	if len(b.fibers) == 0 {
		return false
	}
	if thief.reply.CompareAndSwap(request, b) {
		w.reusable = nil
		thief.s.Inbox().Notify() // it may sleep by now, even if it asked while awake
		return true
	}
	w.moveIn(b)
	return false
}

// moveIn puts a batch into this scheduler at the front, in the order the fibers had.
func (w *worker[T]) moveIn(b *stolenBatch[T]) {
	for i := len(b.fibers) - 1; i >= 0; i-- {
		if _, err := w.s.Moves().MoveIn(b.fibers[i]); err != nil {
			panic(err) // cannot be: the request said for how many there is room
		}
	}
	clear(b.fibers)
	b.fibers = b.fibers[:0]
	w.reusable = b
}

// openRequest lets other workers send fibers here.
func (w *worker[T]) openRequest() (request *stolenBatch[T]) {
	request = &w.pool.requests[min(max(w.freeSlots(), 0), maxStolen)]
	w.reply.Store(request)
	return request
}

// closeRequest takes in what was sent, and tells whether that was anything.
func (w *worker[T]) closeRequest() bool {
	b := w.reply.Swap(nil)
	if b == nil || len(b.fibers) == 0 {
		return false
	}
	w.moveIn(b)
	return true
}

// steal asks the other workers in turn, from a random one on.
func (w *worker[T]) steal() bool {
	if w.freeSlots() <= 0 {
		return false
	}
	all := w.pool.workers
	first := w.rng.IntN(len(all))
	for i := range all {
		victim := all[(first+i)%len(all)]
		if victim != w && victim.hasSpare.Load() && w.stealFrom(victim) {
			return true
		}
	}
	return false
}

// stealFrom asks one worker and waits a short time for the answer: the victim may be in a long
// slice, or its thread preempted, and then another victim is better.
func (w *worker[T]) stealFrom(victim *worker[T]) bool {
	request := w.openRequest()
	if victim.thief.CompareAndSwap(nil, w) {
		open := func() bool { return w.reply.Load() == request && victim.thief.Load() == w }
		for i := 0; open() && i < stealYields; i++ {
			for j := 0; open() && j < stealSpins; j++ {
			}
			runtime.Gosched()
		}
		victim.thief.CompareAndSwap(w, nil)
	}
	return w.closeRequest()
}
