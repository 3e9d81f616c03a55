package scheduler

import (
	"unsafe"

	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// ScheduleNext mounts the fiber at the head of the ready queue: it is Running and current
// from now on, with its chain. ScheduleNext returns nil at the end of a batch and when no
// fiber is ready; Poll tells the two apart. No fiber may be current (I2). The fiber's Data is
// the host's to read and write until the slice ends. It polls nothing and allocates nothing.
func (s *Scheduler[T]) ScheduleNext() *Fiber[T] {
	return (*Fiber[T])(unsafe.Pointer(s.next()))
}

// next is ScheduleNext without the payload's type. A host's loop inlines both; a test reads
// the compiler's own report to keep it so. Poll has looked at every head of the batch: a
// fiber that cannot simply be mounted has ended the batch. The header comes from ahead, so
// its cache line is the only one of the slots that a mounting touches.
func (c *Core) next() (h *header) {
	if invariants.On {
		c.takeOwnership(op.Next)
	}
	if invariants.On && c.cur == c.none {
		c.mistakes().mustHaveParkedLater(op.Next)
	}
	if c.cur != c.none {
		panic(c.faults[op.Next<<opShift])
	}
	if c.taken != c.drawn {
		h = c.ahead[c.taken]
		c.curID = c.ids[c.taken]
		c.taken++
		c.cur = h
		c.admit(h, mounted)
	} else if invariants.On {
		c.dropOwnership()
	}
	return
}
