package waitq

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// twin is the same queue written to be obviously right: two slices, every operation
// a scan.
type twin struct {
	assigned, waiting []reg
	last              fiber.Ticket
}

type reg struct {
	t   fiber.Ticket
	tag uint32
	v   int
}

func (w *twin) push(t fiber.Ticket, tag uint32, v int) bool {
	if t.IsZero() || t.Seq < w.last.Seq || t.Seq == w.last.Seq && t != w.last {
		return false
	}
	w.last = t
	w.waiting = append(w.waiting, reg{t, tag, v})
	return true
}

func (w *twin) pop() (reg, bool) {
	if len(w.waiting) == 0 {
		return reg{}, false
	}
	head := w.waiting[0]
	w.withdraw(head.t)
	return head, true
}

func (w *twin) match(v int) (reg, bool) {
	head, ok := w.pop()
	if ok {
		head.v = v
		w.assigned = append(w.assigned, head)
	}
	return head, ok
}

func (w *twin) collect(t fiber.Ticket) (reg, bool) {
	i := slices.IndexFunc(w.assigned, func(r reg) bool { return r.t == t })
	if i < 0 {
		return reg{}, false
	}
	r := w.assigned[i]
	w.assigned = slices.Delete(w.assigned, i, i+1)
	return r, true
}

func (w *twin) forfeitOldest() (reg, bool) {
	if len(w.assigned) == 0 {
		return reg{}, false
	}
	return w.collect(w.assigned[0].t)
}

func (w *twin) withdraw(t fiber.Ticket) int {
	before := len(w.waiting)
	w.waiting = slices.DeleteFunc(w.waiting, func(r reg) bool { return r.t == t })
	return before - len(w.waiting)
}

func (w *twin) keeps(t fiber.Ticket) bool {
	return slices.ContainsFunc(w.assigned, func(r reg) bool { return r.t == t })
}

func (w *twin) holds(t fiber.Ticket) bool {
	return slices.ContainsFunc(w.waiting, func(r reg) bool { return r.t == t })
}
