package scheduler

import (
	"iter"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/prefetch"
)

// runQueue is the ready queue: Core's ring of slots, and in front of it the batch under way,
// ahead[taken:drawn]. The fibers of the batch have left the ring and their headers have been
// looked up. ScheduleNext takes from the batch only; when it is empty the loop polls. The
// fields are Core's own, because one more selector would push ScheduleNext over the inliner's
// budget.
//
// Invariants between operations (I1): taken ≤ drawn ≤ batchEnd; each member of the
// batch is Runnable, alive in its generation, not reapable and not paused; no member is in the ring.
// Whatever makes a member unfit (a kill, a pause, a move) ends the batch first.
type runQueue struct{ core *Core }

func (c *Core) run() runQueue { return runQueue{c} }

// batchSize is how many fibers ScheduleNext returns before the loop has to Poll.
const batchSize = 16

// lead is the free space in front of a batch, for fibers put at the head of the queue while
// the batch is under way. When it is used up, the batch ends.
const lead = 64

// batchEnd is where fibers that join the batch must stop.
const batchEnd = lead + batchSize

// len counts the fibers in the ready queue.
func (q runQueue) len() int {
	c := q.core
	return c.ring.len() + int(c.drawn) - int(c.taken)
}

// draw looks up the next batch, up to the first fiber that cannot simply be mounted. The
// sixteen loads do not depend on each other, so the processor overlaps their cache misses: a
// million fibers in random order cost little more than eight. No batch is under way.
func (q runQueue) draw() {
	c := q.core
	r, t := &c.ring, &c.slots
	slots, mask, head := r.slots, r.mask, r.head
	n := min(r.tail-head, batchSize)
	for i := range n {
		slot := slots[(head+i)&mask]
		h := t.at(slot)
		if h.word&drawMask != runnable {
			n = i
			break
		}
		c.ahead[lead+i], c.ids[lead+i] = h, fiber.NewRegularID(slot, h.gen).ID()
	}
	r.head, c.taken, c.drawn = head+n, lead, lead+uint8(n)
	if prefetch.Supported && uintptr(t.used)*uintptr(t.stride) > nearCache {
		q.prefetchNext()
	}
}

// canMount tells whether a fiber of the ready queue can be mounted, also when something is paused.
func (q runQueue) canMount(h *header, slot uint32) bool {
	return h.word&drawMask == runnable && q.core.holding().pausedBy(h, slot) == nil
}

// nearCache is how many bytes of slots a core keeps in its near cache. With more slots than
// that, prefetching the next batch while this one runs pays off.
const nearCache = 1 << 20

// prefetchNext prefetches the slots of the batch after the one just drawn.
func (q runQueue) prefetchNext() {
	r, t := &q.core.ring, &q.core.slots
	if r.tail-r.head < prefetch.Batch {
		return
	}
	var lines prefetch.Lines
	for i := range lines {
		lines[i] = unsafe.Pointer(t.at(r.at(r.head + uint64(i))))
	}
	prefetch.Load(&lines)
}

// join puts a fiber at the back of the queue. If the ring is empty the fiber joins the batch
// under way: fibers that wake each other one at a time would otherwise need a Poll for every
// switch. A batch still ends after batchSize places, used or not, so such fibers do not delay
// the poll for other inputs. While something is paused, all go to the ring, because the batch is at
// its end. O(1), no allocation: the ring has room for every slot.
func (q runQueue) join(h *header, id fiber.ID) {
	c := q.core
	if i := c.drawn; c.ring.head == c.ring.tail && i < batchEnd {
		c.ahead[i], c.ids[i] = h, id
		c.drawn = i + 1
		return
	}
	c.ring.push(uint32(id))
}

// jump makes a fiber the next to run. In a batch it replaces the last member, which goes
// back to the ring, so that the batch does not grow and the next poll is not delayed.
func (q runQueue) jump(h *header, id fiber.ID) {
	c := q.core
	if c.taken == c.drawn || c.taken == 0 || c.emptyAt != lead {
		q.endBatch()
		c.ring.pushFront(id.Index())
		return
	}
	c.drawn--
	c.ring.pushFront(c.ids[c.drawn].Index())
	c.taken--
	c.ahead[c.taken], c.ids[c.taken] = h, id
}

// endBatch puts the rest of the batch back at the head of the ring: ScheduleNext returns
// nothing more before a Poll. The order of the queue does not change.
func (q runQueue) endBatch() {
	c := q.core
	if c.taken != c.drawn {
		q.putBack()
	}
	c.taken, c.drawn = c.emptyAt, c.emptyAt
}

func (q runQueue) putBack() {
	c := q.core
	for ; c.drawn > c.taken; c.drawn-- {
		slot := c.ids[c.drawn-1].Index()
		c.ring.pushFront(slot)
		if c.pauses.active > 0 {
			c.groups.unselected(slot)
		}
	}
}

// countPaused notes that one more thing is paused, or one less. While there is any, Choices.draw draws
// the batches. The batch under way ends, because it holds only fibers that can be mounted.
func (q runQueue) countPaused(by int) {
	c := q.core
	q.putBack()
	c.pauses.active += by
	c.emptyAt = lead
	if q.choosesEach() {
		c.emptyAt = batchEnd
	}
	q.endBatch()
}

// choosesEach reports whether Choices.draw draws the batches, and no fiber joins one.
func (q runQueue) choosesEach() bool {
	c := q.core
	return c.pauses.active > 0 || c.cfg.Choose != nil || c.cfg.OneByOne
}

// all yields the slots of the ready queue, its head first; the queue must not change
// meanwhile.
func (q runQueue) all() iter.Seq[uint32] {
	c := q.core
	return func(yield func(uint32) bool) {
		for i := c.taken; i != c.drawn; i++ {
			if !yield(c.ids[i].Index()) {
				return
			}
		}
		c.ring.all()(yield)
	}
}
