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
func (s *states) slice(p *Part, began, at time.Duration, to fiber.State) {
	n := 0
	for n < len(s.changes) && s.changes[n].at < began {
		n++
	}
	s.apply(p, s.changes[:n])
	s.apply(p, []change{{began, fiber.Runnable, fiber.Running}})
	s.apply(p, s.changes[n:])
	s.apply(p, []change{{at, fiber.Running, to}})
	s.changes = s.changes[:0]
}

// finish counts what is left.
func (s *states) finish(p *Part) {
	s.apply(p, s.changes)
	s.tell(p)
}

// apply makes changes, and tells what was before the first at each instant.
func (s *states) apply(p *Part, changes []change) {
	for _, c := range changes {
		if c.at > s.at {
			s.tell(p)
			s.at = c.at
		}
		s.now[c.from]--
		s.now[c.to]++
		s.untold = true
	}
}

func (s *states) tell(p *Part) {
	if !s.untold {
		return
	}
	s.untold = false
	p.begin("C", owner, worker)
	p.at(s.at)
	p.some("name", "fibers")
	p.field("args")
	p.open()
	p.count("running", s.now[fiber.Running])
	p.count("ready", s.now[fiber.Runnable])
	p.count("blocked", s.now[fiber.Blocked])
	p.close()
	p.close()
}

// count appends a number that a scheduler without a past makes 0 at least.
func (o *object) count(name string, n int) { o.number(name, uint64(max(n, 0))) }
