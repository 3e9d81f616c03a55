package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Chooser is the seeded source of choices, a *rand.Rand of math/rand/v2: Uint64N returns
// a number below n, each with the same chance. One run uses one, so that a seed gives
// the same choices again (docs/design.md#determinism).
type Chooser interface{ Uint64N(n uint64) uint64 }

// Select waits for whichever of several cases can go on first. Poll is the whole of a
// select with a default; without one the host parks:
//
//	i, w, ok := s.Poll(rng)                                      // ready: w is to be delivered
//	if !ok {
//		t := sched.Arm(fiber.OnQueue(), s.Sources(buf[:0])...)
//		err := s.Park(t)
//		sched.Block()
//		t, res := sched.Claim()
//		i, ok = s.Collect(t, res)                            // false: timeout, cancel, kill
//	}
//
// A time limit is the deadline of the reason. With no case, or only disabled ones, the
// wait lasts for ever. The zero Select has no case. A Select belongs to one fiber at a
// time; used again through Reset it allocates nothing.
type Select struct {
	cases []Case
}

// NewSelect makes a select of the cases; see Reset.
func NewSelect(cases ...Case) *Select {
	s := new(Select)
	s.Reset(cases...)
	return s
}

// Reset gives the select other cases. A case is known by its place in this list; the
// same channel may be in several, and a nil Case is a disabled one.
func (s *Select) Reset(cases ...Case) {
	clear(s.cases)
	s.cases = append(s.cases[:0], cases...)
	for i, c := range s.cases {
		if c == nil {
			s.cases[i] = disabled{}
		}
	}
}

// Len counts the cases, disabled ones included.
func (s *Select) Len() int { return len(s.cases) }

// Admit is as for a Chan: it refuses if the object of a case belongs to another
// scheduler, and names it.
func (s *Select) Admit(scheduler uint16) error {
	for _, c := range s.cases {
		if src := c.Source(); src != nil && !src.Anchored().Bind(scheduler) {
			return c.MayPark(fiber.Ticket{Seq: fiber.NewSeq(scheduler, 1)}) // it has the words
		}
	}
	return nil
}

// Poll does one of the ready cases, each with the same chance, and returns its index
// and whoever that wakes; the case itself holds the outcome. False: none is ready and
// nothing has changed. The chooser is asked only if several are ready.
func (s *Select) Poll(rng Chooser) (index int, w fiber.Wakeup, ok bool) {
	ready := uint64(0)
	for i, c := range s.cases {
		if c.Ready() {
			ready++
			index = i
		}
	}
	switch ready {
	case 0:
		return -1, w, false
	case 1:
		return index, s.cases[index].Commit(), true
	}
	index = s.choose(rng, ready)
	return index, s.cases[index].Commit(), true
}

// choose is the index of one of the ready cases.
func (s *Select) choose(rng Chooser, ready uint64) int {
	n := ready
	if rng != nil {
		n = rng.Uint64N(ready)
	}
	for i, c := range s.cases {
		if !c.Ready() {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	panic(&ContractError{Rule: rule.ValidArgument, Op: "poll", Object: "select",
		Fix: "the chooser is nil or returned a number that is not below n; pass the run's seeded *rand.Rand"})
}

// Park registers the ticket with every case; Result.Value will be the index of the case
// that ended the wait. The losing registrations go at the moment of the wake, because
// the scheduler withdraws the ticket from all Sources (I10). Errors: ErrForeign, naming
// the object, and ErrReady if Poll would not have failed; then nothing is registered.
func (s *Select) Park(t fiber.Ticket) error {
	for _, c := range s.cases {
		if err := c.MayPark(t); err != nil {
			return err
		}
	}
	for i, c := range s.cases {
		c.Park(t, uint32(i))
	}
	return nil
}

// Sources appends what the wait is to be armed with. An object that is in several cases
// appears as often.
func (s *Select) Sources(dst []fiber.Source) []fiber.Source {
	for _, c := range s.cases {
		if src := c.Source(); src != nil {
			dst = append(dst, src)
		}
	}
	return dst
}

// Collect takes the outcome of a wait into the case that ended it and returns its
// index. False: none did (a deadline, a cancel or a kill came first, or the fiber was
// woken by ID).
func (s *Select) Collect(t fiber.Ticket, res fiber.Result) (index int, ok bool) {
	switch res.Code {
	case fiber.OK, fiber.Closed, fiber.Failed:
		if int(res.Value) < len(s.cases) && s.cases[res.Value].Collect(t, res.Code) {
			return int(res.Value), true
		}
	}
	return -1, false
}
