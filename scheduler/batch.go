package scheduler

import (
	"iter"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/prefetch"
)

// The front of the ready queue is the batch under way, ahead[taken:drawn]: fibers that
// have left the ring and have been looked up. ScheduleNext hands out nothing else; when
// the batch is used up the loop polls.

// batch is how many fibers ScheduleNext hands out before the loop has to Poll.
const batch = 16

// lead is how many fibers there is room for in front of a batch: for those that are put
// there while it is under way.
const lead = 64

// queued counts the fibers in the ready queue.
func (c *Core) queued() int { return c.ready.len() + int(c.drawn) - int(c.taken) }

// draw looks up the next batch, up to the first fiber that cannot simply be mounted:
// sixteen loads that do not wait for each other, which is why a million fibers in random
// order cost little more than eight. There is no batch under way.
func (c *Core) draw() {
	r, t := &c.ready, &c.slots
	slots, mask, head := r.slots, r.mask, r.head
	n := min(r.tail-head, batch)
	for i := range n {
		slot := slots[(head+i)&mask]
		h := t.at(slot)
		if h.word&(stateMask|reapable) != runnable {
			n = i
			break
		}
		c.ahead[lead+i], c.ids[lead+i] = h, fiber.NewRegularID(slot, h.gen).ID()
	}
	r.head, c.taken, c.drawn = head+n, lead, lead+uint8(n)
	if prefetch.Supported && uintptr(t.used)*t.stride > nearCache {
		c.lookAhead()
	}
}

// nearCache is how many bytes of slots a core keeps near it: with more, the slots of the
// next batch are worth asking for while this one runs.
const nearCache = 1 << 20

// lookAhead asks for the slots of the batch after the one that has just been drawn.
func (c *Core) lookAhead() {
	r, t := &c.ready, &c.slots
	if r.tail-r.head < prefetch.Batch {
		return
	}
	var lines prefetch.Lines
	for i := range lines {
		lines[i] = unsafe.Pointer(t.at(r.at(r.head + uint64(i))))
	}
	prefetch.Load(&lines)
}

// join puts a fiber at the back of the queue. If the batch under way already reaches to
// the back, the fiber joins it: fibers that wake each other one at a time would otherwise
// need a Poll for every switch.
func (c *Core) join(h *header, id fiber.ID) {
	if i := c.drawn; c.ready.head == c.ready.tail && i < lead+batch {
		c.ahead[i], c.ids[i] = h, id
		c.drawn = i + 1
		return
	}
	c.ready.push(uint32(id))
}

// jump makes a fiber the next to run. In a batch it takes the turn of the last one, so that
// the poll comes as soon as it would have.
func (c *Core) jump(h *header, id fiber.ID) {
	if c.taken == c.drawn || c.taken == 0 {
		c.endBatch()
		c.ready.pushFront(id.Index())
		return
	}
	c.drawn--
	c.ready.pushFront(c.ids[c.drawn].Index())
	c.taken--
	c.ahead[c.taken], c.ids[c.taken] = h, id
}

// endBatch ends the batch: nothing more of it is handed out before a Poll.
func (c *Core) endBatch() {
	for ; c.drawn > c.taken; c.drawn-- {
		c.ready.pushFront(c.ids[c.drawn-1].Index())
	}
	c.taken, c.drawn = lead, lead
}

// queue is the ready queue, its head first.
func (c *Core) queue() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := c.taken; i != c.drawn; i++ {
			if !yield(c.ids[i].Index()) {
				return
			}
		}
		c.ready.all()(yield)
	}
}
