package wait

import (
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// meeting drives a Mutex with two Conds beside the dumbest description of them: one
// line for the lock, the first of which has it, and a list of waiters for each cond.
type meeting struct {
	*crowd
	m      *Mutex
	conds  [2]*Cond
	policy OwnerDeath
	line   []guest
	lists  [2][]guest
	dead   fiber.ID
}

type guest struct {
	id     fiber.ID
	t      fiber.Ticket // zero once it runs
	cond   int          // it waited on, -1 if it only locks
	single bool         // it was chosen by Signal
}

func (m *meeting) owner() fiber.ID {
	if len(m.line) == 0 {
		return 0
	}
	return m.line[0].id
}

// join puts one at the end of the line, which may make it the owner.
func (m *meeting) join(g guest) {
	if m.line = append(m.line, g); len(m.line) == 1 && !g.t.IsZero() {
		m.expect(g.t, fiber.OK)
	}
}

// leave takes the owner away; the next in line has the lock from now on.
func (m *meeting) leave() {
	if m.line = m.line[1:]; len(m.line) > 0 {
		m.expect(m.line[0].t, fiber.OK)
	}
}

func (m *meeting) Lock(t *rapid.T) {
	id := m.runner(t)
	if id == 0 {
		return
	}
	ok, err := m.m.TryLock(id)
	switch {
	case m.dead != 0:
		refused(t, err, ErrPoisoned, m.dead)
	case m.owner() == id:
		refused(t, err, ErrDoubleLock, id)
	case err != nil || ok != (m.owner() == 0):
		t.Fatalf("%v locks with %+v in line: %v %v", id, m.line, ok, err)
	case ok:
		m.line = append(m.line, guest{id: id, cond: -1})
	default:
		tk := m.parks(t, id, func(tk fiber.Ticket) error { return m.m.ParkLock(tk, id) }, m.m.Source())
		m.join(guest{id: id, t: tk, cond: -1})
	}
}

func (m *meeting) Unlock(t *rapid.T) {
	id := m.runner(t)
	if id == 0 {
		return
	}
	w, err := m.m.Unlock(id)
	if m.owner() != id {
		refused(t, err, ErrNotOwner, m.owner())
		return
	}
	m.deliver(w)
	m.leave()
}

func (m *meeting) cond(t *rapid.T) int { return rapid.IntRange(0, 1).Draw(t, "cond") }

func (m *meeting) Wait(t *rapid.T) {
	i, id := m.cond(t), m.runner(t)
	if id == 0 {
		return
	}
	if m.owner() != id {
		_, err := m.conds[i].ParkWait(m.arm(id, m.conds[i].Source()), id)
		refused(t, err, ErrNotOwner, m.owner())
		return
	}
	var w fiber.Wakeup
	tk := m.parks(t, id, func(tk fiber.Ticket) (err error) {
		w, err = m.conds[i].ParkWait(tk, id)
		return err
	}, m.conds[i].Source())
	m.deliver(w)
	m.leave()
	m.lists[i] = append(m.lists[i], guest{id: id, t: tk, cond: i})
}

func (m *meeting) Signal(t *rapid.T) {
	if i := m.cond(t); m.runner(t) != 0 {
		m.deliver(m.conds[i].Signal())
		m.signaled(i, true)
	}
}

func (m *meeting) Broadcast(t *rapid.T) {
	if i := m.cond(t); m.runner(t) != 0 {
		m.deliver(m.conds[i].Broadcast())
		for len(m.lists[i]) > 0 {
			m.signaled(i, false)
		}
	}
}

// signaled moves the oldest waiter into the line.
func (m *meeting) signaled(i int, single bool) {
	if len(m.lists[i]) > 0 {
		g := m.lists[i][0]
		m.lists[i] = m.lists[i][1:]
		g.single = single
		m.join(g)
	}
}

func (m *meeting) givesUp(tk fiber.Ticket) {
	m.leaves(func(g guest) bool { return g.t == tk })
}

// leaves takes one away that does not have the lock. A signal goes on to the next.
func (m *meeting) leaves(is func(guest) bool) {
	for i := range m.lists {
		m.lists[i] = slices.DeleteFunc(m.lists[i], is)
	}
	if i := slices.IndexFunc(m.line, is); i > 0 {
		g := m.line[i]
		m.line = slices.Delete(m.line, i, i+1)
		if g.single {
			m.signaled(g.cond, true)
		}
	}
}

func (m *meeting) dies(id fiber.ID) {
	if m.owner() != id {
		m.leaves(func(g guest) bool { return g.id == id })
		return
	}
	if g := m.line[0]; g.single && !g.t.IsZero() {
		m.signaled(g.cond, true) // it has not run
	}
	if m.policy == HandOver {
		m.leave()
		return
	}
	m.dead = id
	for _, g := range m.line[1:] {
		m.expect(g.t, fiber.Failed)
	}
	for _, c := range m.m.conds { // in the order of their first waiter, which is its business
		i := slices.Index(m.conds[:], c)
		for _, g := range m.lists[i] {
			m.expect(g.t, fiber.Failed)
		}
	}
	m.line, m.lists = nil, [2][]guest{}
}

func (m *meeting) wakes(t *rapid.T, tk fiber.Ticket, code fiber.Code) {
	i := slices.IndexFunc(m.line, func(g guest) bool { return g.t == tk })
	collect := m.m.Collect
	if i == 0 && m.line[0].cond >= 0 {
		collect = m.conds[m.line[0].cond].Collect
	}
	if got := collect(tk); i > 0 || got != (i == 0) || got != (code == fiber.OK) {
		t.Fatalf("%v woke with %v, collected %v, is number %d in %+v", tk, code, got, i, m.line)
	}
	if i == 0 {
		m.line[0].t = fiber.Ticket{}
	}
}

func (m *meeting) knows(tk fiber.Ticket) bool {
	for _, s := range []fiber.Assigner{m.m.Source().(fiber.Assigner), m.conds[0].Source().(fiber.Assigner), m.conds[1].Source().(fiber.Assigner)} {
		if s.Holds(tk) || forfeits(s, tk, s.Withdraw(tk, nil)) {
			return true
		}
	}
	return m.m.Collect(tk)
}

func (m *meeting) rest() error {
	if m.m.Waiting() > 0 || m.m.Owner() != 0 || len(m.m.conds) > 0 {
		return fmt.Errorf("%v", m.m.Source().(fiber.Described).Describe())
	}
	return nil
}

func (m *meeting) Repair(t *rapid.T) {
	if m.m.Repair() != (m.dead != 0) {
		t.Fatalf("repaired a lock that %v poisoned", m.dead)
	}
	m.dead = 0
}

// compare is everything there is to see, and the invariants listed on Cond and Mutex.
func (m *meeting) compare(t *rapid.T) {
	behind := m.line[min(1, len(m.line)):]
	inLine := 0
	for i, c := range m.conds {
		var waiting, signaled []fiber.Ticket
		for _, g := range m.lists[i] {
			waiting = append(waiting, g.t)
		}
		for _, g := range behind {
			if g.cond == i {
				signaled = append(signaled, g.t)
			}
		}
		inLine += len(signaled)
		if !slices.Equal(queue(c.waiting.All()), waiting) || !slices.Equal(queue(c.line.All()), signaled) {
			t.Fatalf("%v: %v, %v; want %v, %v", c.Source().(fiber.Described).Describe(), queue(c.waiting.All()), queue(c.line.All()), waiting, signaled)
		}
		if slices.Contains(m.m.conds, c) == c.empty() {
			t.Fatalf("%v: listed: %v", c.Source().(fiber.Described).Describe(), !c.empty())
		}
	}
	switch x := m.m; {
	case x.Owner() != m.owner() || x.dead != m.dead || x.Waiting() != len(behind) || x.inLine != inLine:
		t.Fatalf("%v, in line %d; want %+v, dead %v", x.Source().(fiber.Described).Describe(), x.inLine, m.line, m.dead)
	case x.Owner() == 0 && x.Waiting() > 0:
		t.Fatalf("%v: waiting without an owner", x.Source().(fiber.Described).Describe())
	}
}

func TestAnyHistoryOfTwoCondsIsThatOfOneLineAndTwoLists(t *testing.T) {
	for name, policy := range map[string]OwnerDeath{"poison": Poison, "hand on": HandOver} {
		t.Run(name, func(t *testing.T) {
			history(t, func(t *rapid.T) int {
				m := &meeting{m: NewMutex(policy), policy: policy}
				m.conds = [2]*Cond{NewCond(m.m), NewCond(m.m)}
				m.crowd = newCrowd(t, m, m.m.OwnerHook())
				return m.goOn(t, m.compare, map[string]func(*rapid.T){
					"lock": m.Lock, "lock too": m.Lock, "unlock": m.Unlock, "wait": m.Wait, "wait too": m.Wait,
					"signal": m.Signal, "broadcast": m.Broadcast, "repair": m.Repair,
				})
			})
		})
	}
}
