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
// room, the compare-and-swap fails and the victim puts its fibers back (decision 0041).
//
//	thief:  reply = request n      … polls …      swap reply to nil: nothing, or a batch
//	victim: load reply: request n  … packs …      compare-and-swap reply from request n to a batch
//
// There is one step that changes the owner of the fibers, the compare-and-swap. Everything that the
// victim wrote into the batch happens before it, and so before the thief's swap returns the batch. A
// fiber is therefore in one scheduler, in the victim's hands or in the thief's at any time, and never
// lost, whichever of the two is preempted (I12).
//
// Equal requests have the same pointer, so a victim may answer a later request than the one it read.
// That is as good: the pointer says how much room there is, and the thief wants fibers as long as
// any request is open.
//
// A victim learns of a request in one of two ways. A thief that is awake stores itself in the
// victim's thief word, which the victim polls between slices. A thief that sleeps is on the
// coordinator's idle list, where a worker with spare fibers looks for it.

// stolenBatch is fibers in transit, oldest first. The receiver reuses it, so batches pass from
// worker to worker and none is allocated in the steady state. One with room > 0 is a request: it
// stays in Pool.requests, is never written after New, and has no fibers.
type stolenBatch[T any] struct {
	fibers []scheduler.Moved[T]
	room   int
}

// isRequest does not look at fibers: they belong to the thief as soon as the batch is in the
// reply word.
func (b *stolenBatch[T]) isRequest() bool { return b != nil && b.room > 0 }

// maxStolen limits a batch, and so the time for which a victim packs.
const maxStolen = 64

// A thief waits for a victim about as long as a thread takes to fall asleep and wake up: a shorter
// wait would give up what is about to come, and a longer one would cost more than the sleep that it
// avoids. It counts reads and not time, because reading the clock takes longer than a read.
const (
	stealYields = 64 // how often it yields its thread
	stealSpins  = 32 // how often it reads its reply word before each
)

// shareFibers gives fibers to a worker that wants some. It runs at every check, so without a thief
// and without an idle worker it costs three loads. A worker keeps at least half of its ready fibers,
// and the last one always: to send that away would only move the idleness.
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
// for them takes time. It is what keeps sleeping workers from having to poll.
func (w *worker[T]) push() {
	thief, epoch := w.pool.shared.takeIdle()
	if thief != nil && !w.send(thief) {
		w.noPushTill = w.checks + rareCheck
		w.pool.shared.returnIdle(thief, epoch)
	}
}

// send moves the oldest half of the ready fibers to the thief, as far as they can move and it
// has room, and tells whether the thief got any. The fibers get new IDs where they arrive; what was
// sent to the old ones is refused there (I5).
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
	// The batch is the thief's as soon as this succeeds. Nothing of it may be read afterward.
	if thief.reply.CompareAndSwap(request, b) {
		w.reusable = nil
		thief.s.Inbox().Notify() // it may sleep by now, even if it asked while awake
		return true
	}
	w.moveIn(b)
	return false
}

// moveIn puts a batch behind the ready fibers of this scheduler, in the order the fibers had: the
// oldest comes last and is the first that the next thief takes. There is room for them: a thief
// spawns nothing between its request and this call, and a victim takes back what it had.
func (w *worker[T]) moveIn(b *stolenBatch[T]) {
	for i := len(b.fibers) - 1; i >= 0; i-- {
		if _, err := w.s.Moves().MoveIn(b.fibers[i]); err != nil {
			panic(err) // cannot be: the request said for how many there is room
		}
	}
	clear(b.fibers) // the payloads are not kept alive
	b.fibers = b.fibers[:0]
	w.reusable = b
}

// openRequest lets other workers send fibers here. The word was nil before, because the last request
// was closed: a Store cannot overwrite a batch. Without room the word points to requests[0], which
// counts as no request.
func (w *worker[T]) openRequest() (request *stolenBatch[T]) {
	request = &w.pool.requests[min(max(w.freeSlots(), 0), maxStolen)]
	w.reply.Store(request)
	return request
}

// closeRequest takes in what was sent, and tells whether that was anything. It comes before every
// slice and every spawn here, because the room that the request has promised must stay free.
func (w *worker[T]) closeRequest() bool {
	b := w.reply.Swap(nil)
	if b == nil || len(b.fibers) == 0 {
		return false
	}
	w.moveIn(b)
	return true
}

// steal asks the other workers in turn, from a random one on, so that several thieves do not all ask
// the same victim first. It tells whether it got any fibers; after false the worker goes to sleep,
// and is sent some later.
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
	// A victim has one thief at a time; the others go on to the next victim. The request is open
	// before the victim can see this worker.
	if victim.thief.CompareAndSwap(nil, w) {
		// The victim changes reply if it sends fibers, and clears thief in any case.
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
