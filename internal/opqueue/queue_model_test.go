package opqueue

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// model is the queue written to be obviously right: every token ever submitted stays
// in one slice, in order, with the name of its phase.
type model struct {
	limit    int
	ops      []*op
	counters ioqueue.Counters
	cells    []*modelCell // broken, to be failed
	lost     []*op        // abandoned, in order
}

type op struct {
	token  fiber.Token
	owner  fiber.RegularID
	phase  string // flight awaited attached done ready lost told over
	ticket fiber.Ticket
	cell   *modelCell
	result ioqueue.Completion
}

type modelCell struct{ real *ioqueue.Cell }

func (m *model) count(phases ...string) (n int) {
	for _, o := range m.ops {
		if slices.Contains(phases, o.phase) {
			n++
		}
	}
	return n
}

func (m *model) find(t fiber.Token) *op {
	for _, o := range m.ops {
		if o.token == t {
			return o
		}
	}
	return nil
}

func (o *op) in(phases ...string) bool { return o != nil && slices.Contains(phases, o.phase) }

func (m *model) full() bool { return len(m.ops)-m.count("over") >= m.limit }

func (m *model) wait(o *op, to string) (early bool, err error) {
	switch {
	case o == nil || o.phase == "over":
		return false, ioqueue.ErrUnknownToken
	case o.in("lost", "told"):
		return false, ioqueue.ErrAbandoned
	case !o.in("flight", "done"):
		return false, ioqueue.ErrAwaited
	}
	if o.phase == "done" {
		o.phase = "ready"
		return true, nil
	}
	o.phase = to
	return false, nil
}

func (m *model) complete(o *op, c ioqueue.Completion) ioqueue.Verdict {
	switch {
	case o == nil:
		m.counters.Unknown++
		return ioqueue.Unknown
	case o.in("over", "done", "ready"):
		m.counters.Duplicate++
		return ioqueue.Duplicate
	case o.in("lost", "told"):
		m.counters.Late++
		o.phase = "over"
		return ioqueue.Late
	}
	m.counters.Completed++
	o.result = c
	verdict := map[string]ioqueue.Verdict{"flight": ioqueue.Early, "awaited": ioqueue.Deliver, "attached": ioqueue.Attached}[o.phase]
	o.phase = map[ioqueue.Verdict]string{ioqueue.Early: "done", ioqueue.Deliver: "ready", ioqueue.Attached: "ready"}[verdict]
	return verdict
}

// abandon tells whether a result was dropped.
func (m *model) abandon(o *op) bool {
	if o.cell != nil {
		m.cells = append(m.cells, o.cell)
		o.cell = nil
	}
	if o.in("done", "ready") {
		o.phase = "over"
		m.counters.Dropped++
		return true
	}
	o.phase = "lost"
	m.lost = append(m.lost, o)
	m.counters.Abandoned++
	return false
}
