package fibers

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// sharedWork is a Shared as the machine and as a device of its scheduler.
type sharedWork Shared

// Serve does what came between two time slices. It is called at every poll.
func (w *sharedWork) Serve([]fiber.Token) {
	if s := (*Shared)(w); len(s.changed) > 0 || s.waiting.Load() {
		s.work()
	}
}

// Resume runs a time slice, and notes whether the Host of the fiber may have come to rest by that.
func (w *sharedWork) Resume(s *scheduler.Scheduler[*stackful.Fiber], slot *scheduler.Fiber[*stackful.Fiber]) fiber.Outcome {
	id := s.Current()
	h := hostOf(s.Inspect().Group(id))
	if h == nil {
		return w.rt.Resume(s, slot)
	}
	for uint32(len(w.parked)) <= id.Index() {
		w.parked = append(w.parked, 0)
	}
	if w.parked[id.Index()] == id {
		w.parked[id.Index()] = 0
		h.guest.parked--
	}
	h.env.state.BeginSlice()
	out := w.rt.Resume(s, slot)
	h.env.state.EndSlice()
	switch out.Kind {
	case fiber.TimesliceExpired:
		return out
	case fiber.Block:
		w.parked[id.Index()] = id
		h.guest.parked++
		h.guest.last = id
	}
	(*Shared)(w).change(h)
	return out
}

// hostOf is the Host of a Group.
func hostOf(g *scheduler.Group) *Host {
	if p := g.Program(); p != nil {
		h, _ := p.Owner.(*Host)
		return h
	}
	return nil
}

// change has the Host looked at before the next batch.
func (s *Shared) change(h *Host) {
	if !h.guest.changed {
		h.guest.changed = true
		s.changed = append(s.changed, h)
	}
}
