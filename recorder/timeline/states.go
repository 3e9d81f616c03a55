package timeline

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// states counts the fibers in each state. That a fiber runs is known when its slice has ended, so what happened
// meanwhile waits until then.
type states struct {
	changes []change
	now     [4]int        // by fiber.State
	at      time.Duration // of now
	untold  bool
}

type change struct {
	at       time.Duration
	from, to fiber.State
}

func (s *states) change(at time.Duration, from, to fiber.State) {
	s.changes = append(s.changes, change{at, from, to})
}

// slice counts a slice, with what happened before and in it.
func (s *states) slice(t *Writer, began, at time.Duration, to fiber.State) {
	n := 0
	for n < len(s.changes) && s.changes[n].at < began {
		n++
	}
	s.apply(t, s.changes[:n])
	s.apply(t, []change{{began, fiber.Runnable, fiber.Running}})
	s.apply(t, s.changes[n:])
	s.apply(t, []change{{at, fiber.Running, to}})
	s.changes = s.changes[:0]
}

// finish counts what is left.
func (s *states) finish(t *Writer) {
	s.apply(t, s.changes)
	s.tell(t)
}

// apply makes changes, and tells what was before the first at each instant.
func (s *states) apply(t *Writer, changes []change) {
	for _, c := range changes {
		if c.at > s.at {
			s.tell(t)
			s.at = c.at
		}
		s.now[c.from]--
		s.now[c.to]++
		s.untold = true
	}
}

func (s *states) tell(t *Writer) {
	if !s.untold {
		return
	}
	s.untold = false
	t.begin("C", owner, worker)
	t.instant("ts", s.at)
	t.some("name", "fibers")
	t.field("args")
	t.open()
	t.count("running", s.now[fiber.Running])
	t.count("ready", s.now[fiber.Runnable])
	t.count("blocked", s.now[fiber.Blocked])
	t.close()
	t.close()
}

// count appends a number that a scheduler without a past makes 0 at least.
func (o *object) count(name string, n int) { o.number(name, uint64(max(n, 0))) }
