package recorder

import (
	"slices"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// stretch is the entries between two marks. Those that end a slice share the time evenly; with none, what
// happened did so at its end.
type stretch struct {
	entries []scheduler.Entry
	first   int    // index of the first in its chunk
	outside []span // of the chunk, from the first that may matter
	since
	to      int64
	current uint32 // the slot of the fiber that ran at its end, plus 1; 0 is none
}

// since is an instant up to which all is known, and when the slice under way then began: the same instant, or
// an earlier one if a fiber was in the middle of its slice.
type since struct{ from, began int64 }

// pass goes on to a mark, before which the entries happened.
func (s *since) pass(m mark, entries []scheduler.Entry) {
	if m.current == 0 || slices.ContainsFunc(entries, endsSlice) {
		s.began = max(s.from, m.at)
	}
	s.from = max(s.from, m.at)
}

func endsSlice(e scheduler.Entry) bool { return e.From() == fiber.Running && !e.Fiber().IsTrampoline() }

// each is how long each of the n slices of the stretch took, and at when the first of them began.
func (s *stretch) each() (each, at, n int64) {
	for _, e := range s.entries {
		if endsSlice(e) {
			n++
		}
	}
	if n == 0 {
		return 0, s.to, 0
	}
	return (s.to - s.from) / n, s.from, n
}

// isOutside tells whether the entry came from outside of the slices. It is called with rising indexes.
func (s *stretch) isOutside(i int) bool {
	at := uint32(s.first + i)
	for len(s.outside) > 0 && s.outside[0].index+s.outside[0].n <= at {
		s.outside = s.outside[1:]
	}
	return len(s.outside) > 0 && s.outside[0].index <= at
}

// stretches yields those of a chunk from an entry on, and brings up to date since when that is.
func (c *chunk) stretches(settled int, from *since) func(yield func(*stretch) bool) {
	return func(yield func(*stretch) bool) {
		for _, m := range c.marks {
			if int(m.index) < settled {
				continue
			}
			s := stretch{entries: c.entries[settled:m.index], first: settled, outside: c.outside, since: *from, to: m.at, current: m.current}
			if settled = int(m.index); len(s.entries) > 0 && !yield(&s) {
				return
			}
			from.pass(m, s.entries)
		}
	}
}

// settleBeside settles a full chunk on a goroutine of its own, which the next one and Flush wait for: the
// owner's time goes to its fibers. What Config.Each is called with belongs to the owner.
func (r *Recorder) settleBeside(c *chunk) {
	r.join()
	if r.cfg.Each != nil || !r.cfg.Accounts {
		r.settle(c)
		return
	}
	done := make(chan struct{})
	r.settling = done
	go func() {
		defer close(done)
		r.settle(c)
	}()
}

// join waits for the goroutine that settles a chunk, if there is one.
func (r *Recorder) join() {
	if r.settling != nil {
		<-r.settling
		r.settling = nil
	}
}

// settle adds the entries of a chunk up to its last mark to the sums.
func (r *Recorder) settle(c *chunk) {
	if len(c.marks) == 0 || r.cfg.Each == nil && !r.cfg.Accounts {
		return
	}
	if r.cfg.Each != nil {
		r.tell(c)
	}
	for s := range c.stretches(c.settled, &c.resume) {
		if r.cfg.Accounts {
			r.sums.add(s)
		}
	}
	c.settled = int(c.marks[len(c.marks)-1].index)
}

func (s *sums) add(of *stretch) {
	each, at, n := of.each()
	took := each + of.from - of.began // of the first
	if n > 0 {
		s.slices.add(took, 1)
		s.slices.add(each, uint64(n-1))
	}
	waited := int64(0)
	for i, e := range of.entries {
		if e.Fiber().IsTrampoline() {
			continue
		}
		slot := e.Fiber().Index()
		if int(slot) >= len(s.fibers) {
			s.grow(slot)
		}
		a := &s.fibers[slot]
		switch e.From() {
		case fiber.Running:
			if a.state == fiber.Runnable {
				waited += s.wakes.count(at + each - took - a.since)
			}
			a.busy += took
			a.slices++
			at, took = at+each, each
			if len(s.pending) > 0 {
				s.adopt(slot)
			}
		case fiber.Dead:
			*a = account{gen: a.gen + 1}
			if !e.Detached() && !of.isOutside(i) {
				s.pending = append(s.pending, slot)
			}
		}
		a.since, a.state = at, e.To()
	}
	s.wakes.Sum += time.Duration(waited)
	if of.current != 0 {
		s.adopt(of.current - 1)
	}
	s.pending = s.pending[:0]
}

// adopt makes the fiber of a slot the parent of the new fibers.
func (s *sums) adopt(slot uint32) {
	if len(s.pending) == 0 {
		return
	}
	parent := fiber.NewRegularID(slot, s.account(slot).gen).ID()
	for _, child := range s.pending {
		s.fibers[child].parent = parent
	}
	s.pending = s.pending[:0]
}
