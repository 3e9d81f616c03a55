package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// chooser is the seeded source of choices, a *rand.Rand of math/rand/v2: Uint64N returns
// a number below n, each with the same chance. A run uses a single one, so that a seed
// gives the same choices again (docs/design.md#determinism).
type chooser = interface{ Uint64N(n uint64) uint64 }

// Select waits until one of several cases is ready. Poll alone is a select with a default;
// without a default the host parks:
//
//	i, w, ok := s.Poll(rng)                                      // ready: deliver w
//	if !ok {
//		t := sched.Arm(fiber.OnQueue(), s.Sources(buf[:0])...)
//		err := s.Park(t)
//		sched.Block()
//		t, res := sched.Claim()
//		i, ok = s.Collect(t, res)                            // false: timeout, cancel, kill
//	}
//
// A time limit is the deadline of the reason. With no case, or only disabled ones, the
// wait never ends. The zero Select has no case. A Select belongs to one fiber at a time;
// used again through Reset it allocates nothing.
type Select struct {
	cases []CaseOps
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
	clear(s.cases) // keep no earlier case alive
	s.cases = s.cases[:0]
	for _, c := range cases {
		if c == nil {
			s.cases = append(s.cases, disabled{})
			continue
		}
		s.cases = append(s.cases, c.Case())
	}
}

// Poll does one of the ready cases and returns its index and the wakeup that this decided;
// the case itself holds the outcome. False: none is ready, and nothing has changed. If
// several are ready, each has the same chance: rng, a seeded *rand.Rand of math/rand/v2,
// chooses.
func (s *Select) Poll(rng interface{ Uint64N(n uint64) uint64 }) (index int, w fiber.Wakeup, ok bool) {
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
func (s *Select) choose(rng chooser, ready uint64) int {
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
// that ended the wait. At that moment the scheduler withdraws the ticket from all Sources,
// so no registration of another case is left (I10). Errors: ErrForeign, which names the
// object, and ErrReady if a case is ready; then nothing is registered.
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

// Sources appends what the wait is to be armed with. An object of several cases is
// appended once for each.
func (s *Select) Sources(dst []fiber.Source) []fiber.Source {
	for _, c := range s.cases {
		if src := c.Source(); src != nil {
			dst = append(dst, src)
		}
	}
	return dst
}

// Collect takes the outcome of a wait into the case that ended it and returns its
// index. False: no case ended it; a deadline, a cancel, a kill or a wake by ID did.
func (s *Select) Collect(t fiber.Ticket, res fiber.Result) (index int, ok bool) {
	switch res.Code {
	case fiber.OK, fiber.Closed, fiber.Failed:
		if int(res.Value) < len(s.cases) && s.cases[res.Value].Collect(t, res.Code) {
			return int(res.Value), true
		}
	}
	return -1, false
}
