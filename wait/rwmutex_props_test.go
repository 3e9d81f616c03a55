package wait

import (
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// shelf drives an RWMutex beside the dumbest description of one: those who have it, and
// those who wait, in a line.
type shelf struct {
	*crowd
	m      *RWMutex
	policy OwnerDeath
	in     []visitor
	line   []visitor
	dead   fiber.ID
}

type visitor struct {
	id     fiber.ID
	writes bool
	t      fiber.Ticket // zero once it runs
}

func (s *shelf) fits(v visitor) bool {
	for _, other := range s.in {
		if v.writes || other.writes {
			return false
		}
	}
	return true
}

// advance admits the next fibers, as long as there is room.
func (s *shelf) advance() {
	for len(s.line) > 0 && s.fits(s.line[0]) {
		s.in = append(s.in, s.line[0])
		s.expect(s.line[0].t, fiber.OK)
		s.line = s.line[1:]
	}
}

func (s *shelf) inside(id fiber.ID) int {
	return slices.IndexFunc(s.in, func(v visitor) bool { return v.id == id })
}

func (s *shelf) writer() fiber.ID {
	if len(s.in) == 1 && s.in[0].writes {
		return s.in[0].id
	}
	return 0
}

func (s *shelf) Lock(t *rapid.T)  { s.lock(t, true, s.m.TryLock, s.m.ParkLock) }
func (s *shelf) RLock(t *rapid.T) { s.lock(t, false, s.m.TryRLock, s.m.ParkRLock) }

func (s *shelf) lock(t *rapid.T, writes bool, try func(fiber.ID) (bool, error), park func(fiber.Ticket, fiber.ID) error) {
	id := s.runner(t)
	if id == 0 {
		return
	}
	v := visitor{id: id, writes: writes}
	ok, err := try(id)
	switch {
	case s.dead != 0:
		refused(t, err, ErrPoisoned, s.dead)
	case s.inside(id) >= 0:
		refused(t, err, ErrDoubleLock, id)
	case err != nil || ok != (len(s.line) == 0 && s.fits(v)):
		t.Fatalf("%+v comes to %+v with %+v in line: %v %v", v, s.in, s.line, ok, err)
	case ok:
		s.in = append(s.in, v)
	default:
		v.t = s.parks(t, id, func(tk fiber.Ticket) error { return park(tk, id) }, s.m.Source())
		s.line = append(s.line, v)
	}
}

// Unlock and RUnlock are tried by any running fiber.
func (s *shelf) Unlock(t *rapid.T)  { s.unlock(t, true, s.m.Unlock) }
func (s *shelf) RUnlock(t *rapid.T) { s.unlock(t, false, s.m.RUnlock) }

func (s *shelf) unlock(t *rapid.T, writes bool, unlock func(fiber.ID, []fiber.Wakeup) ([]fiber.Wakeup, error)) {
	id := s.runner(t)
	if id == 0 {
		return
	}
	wakes, err := unlock(id, nil)
	if i := s.inside(id); i < 0 || s.in[i].writes != writes {
		refused(t, err, ErrNotOwner, s.writer())
		return
	}
	if err != nil {
		t.Fatalf("who has it cannot unlock: %v", err)
	}
	s.deliver(wakes...)
	s.leaves(id)
	s.advance()
}

func (s *shelf) leaves(id fiber.ID) {
	s.in = slices.DeleteFunc(s.in, func(v visitor) bool { return v.id == id })
}

func (s *shelf) givesUp(tk fiber.Ticket) {
	s.line = slices.DeleteFunc(s.line, func(v visitor) bool { return v.t == tk })
	s.advance()
}

func (s *shelf) dies(id fiber.ID) {
	s.line = slices.DeleteFunc(s.line, func(v visitor) bool { return v.id == id })
	wrote := s.writer() == id
	s.leaves(id)
	if wrote && s.policy == Poison {
		s.dead = id
		for _, v := range s.line {
			s.expect(v.t, fiber.Failed)
		}
		s.line = nil
	}
	s.advance()
}

func (s *shelf) wakes(t *rapid.T, tk fiber.Ticket, code fiber.Code) {
	i := s.inside(tk.ID)
	if got := s.m.Collect(tk); got != (i >= 0) || got != (code == fiber.OK) {
		t.Fatalf("%v woke with %v and collected: %v", tk, code, got)
	}
	if i >= 0 {
		s.in[i].t = fiber.Ticket{}
	}
}

func (s *shelf) knows(tk fiber.Ticket) bool {
	return s.m.Collect(tk) || s.m.Source().Holds(tk) || forfeits(s.m.Source().(fiber.Assigner), tk, s.m.Source().Withdraw(tk, nil))
}

func (s *shelf) rest() error {
	if s.m.Source().(interface{ Waiting() int }).Waiting() > 0 || s.m.Writer() != 0 || s.m.Readers() > 0 || s.m.waiting.Assigned() > 0 || s.m.readers.n > 0 {
		return fmt.Errorf("%v", s.m.Source().(fiber.Described).Describe())
	}
	return nil
}

func (s *shelf) Repair(t *rapid.T) {
	if s.m.Repair() != (s.dead != 0) {
		t.Fatalf("repaired a lock that %v poisoned", s.dead)
	}
	s.dead = 0
}

// compare is everything there is to see, and the invariants listed on RWMutex.
func (s *shelf) compare(t *rapid.T) {
	var line []fiber.Ticket
	var has []fiber.ID
	asleep := 0
	for _, v := range s.line {
		line = append(line, v.t)
	}
	for _, v := range s.in {
		has = append(has, v.id)
		if !v.t.IsZero() {
			asleep++
		}
	}
	slices.Sort(has)
	head, poisoned := (*entrant)(nil), s.m.Err() != nil
	if _, _, e, ok := s.m.waiting.Head(); ok {
		head = e
	}
	switch m := s.m; {
	case !slices.Equal(queue(m.waiting.All()), line) || !slices.Equal(m.Source().(fiber.Described).Holders(nil), has) || m.waiting.Assigned() != asleep:
		t.Fatalf("%v: waiting %v, has %v; want %v, %v", m.Source().(fiber.Described).Describe(), queue(m.waiting.All()), m.Source().(fiber.Described).Holders(nil), line, has)
	case m.writer != s.writer() || m.dead != s.dead || m.writer != 0 && m.readers.n > 0:
		t.Fatalf("%v; want writer %v, dead %v", m.Source().(fiber.Described).Describe(), s.writer(), s.dead)
	case head != nil && m.free(*head):
		t.Fatalf("%v: the head of the line waits for nothing", m.Source().(fiber.Described).Describe())
	case poisoned && (len(has) > 0 || head != nil):
		t.Fatalf("%v, and in use", m.Source().(fiber.Described).Describe())
	}
}

func TestAnyHistoryOfAnRWMutexIsThatOfALineAtADoor(t *testing.T) {
	for name, policy := range map[string]OwnerDeath{"poison": Poison, "hand on": HandOver} {
		t.Run(name, func(t *testing.T) {
			history(t, func(t *rapid.T) int {
				s := &shelf{m: NewRWMutex(policy), policy: policy}
				s.crowd = newCrowd(t, s, s.m.OwnerHook())
				return s.goOn(t, s.compare, map[string]func(*rapid.T){
					"lock": s.Lock, "read lock": s.RLock, "read lock too": s.RLock,
					"unlock": s.Unlock, "read unlock": s.RUnlock, "repair": s.Repair,
				})
			})
		})
	}
}
