package wait

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// locks drives a Mutex beside the dumbest description of one: a list of fibers, the
// first of which has the lock.
type locks struct {
	*fake
	m      *Mutex
	policy OwnerDeath
	line   []locker // line[0] is the owner
	dead   fiber.ID // whose death poisoned it
	failed []fiber.Ticket
	spent  []fiber.Ticket
	lives  [5]uint32 // generation of each fiber
}

// locker is one in the line. Its ticket is zero once it runs as the owner.
type locker struct {
	id fiber.ID
	t  fiber.Ticket
}

func (m *locks) fiber(t *rapid.T) (n int, id fiber.ID) {
	n = rapid.IntRange(0, len(m.lives)-1).Draw(t, "fiber")
	return n, fiber.NewRegularID(uint32(n), m.lives[n]+1).ID()
}

func (m *locks) place(id fiber.ID) int {
	return slices.IndexFunc(m.line, func(l locker) bool { return l.id == id })
}

// asleep tells whether the fiber is parked or has not collected what it was given.
func (m *locks) asleep(id fiber.ID) bool {
	i := m.place(id)
	return i >= 0 && !m.line[i].t.IsZero() ||
		slices.ContainsFunc(m.failed, func(t fiber.Ticket) bool { return t.ID == id })
}

func (m *locks) owner() fiber.ID {
	if len(m.line) == 0 {
		return 0
	}
	return m.line[0].id
}

// Lock takes the lock or parks, as a host does.
func (m *locks) Lock(t *rapid.T) {
	_, id := m.fiber(t)
	if m.asleep(id) {
		return
	}
	ok, err := m.m.TryLock(id)
	switch owner := m.owner(); {
	case m.dead != 0:
		m.refused(t, err, ErrPoisoned, m.dead)
	case owner == id:
		m.refused(t, err, ErrDoubleLock, id)
	case owner == 0:
		if !ok || err != nil {
			t.Fatalf("free, but %v %v", ok, err)
		}
		m.line = append(m.line, locker{id: id})
	default:
		if ok || err != nil {
			t.Fatalf("held by %v, but %v %v", owner, ok, err)
		}
		tk := m.arm(id, m.m.Source())
		if err := m.m.ParkLock(tk, id); err != nil {
			t.Fatalf("park: %v", err)
		}
		m.line = append(m.line, locker{id, tk})
	}
}

func (m *locks) refused(t *rapid.T, err, want error, owner fiber.ID) {
	var e *Error
	if !errors.Is(err, want) || !errors.As(err, &e) || e.Owner != owner {
		t.Fatalf("got %v, want %v with owner %v", err, want, owner)
	}
}

// Unlock is tried by any running fiber.
func (m *locks) Unlock(t *rapid.T) {
	_, id := m.fiber(t)
	if m.asleep(id) {
		return
	}
	wake, err := m.m.Unlock(id)
	if m.owner() != id {
		m.refused(t, err, ErrNotOwner, m.owner())
		return
	}
	if err != nil {
		t.Fatalf("the owner cannot unlock: %v", err)
	}
	m.advance(t, wake)
}

// advance checks that the wake is the next in line, who owns the lock from now on.
func (m *locks) advance(t *rapid.T, wakes ...fiber.Wakeup) {
	m.line = m.line[1:]
	var want []fiber.Wakeup
	if len(m.line) > 0 {
		want = append(want, woken(m.line[0].t, fiber.OK, 0))
	}
	m.woke(t, wakes, want)
}

func (m *locks) woke(t *rapid.T, got, want []fiber.Wakeup) {
	if got = slices.DeleteFunc(got, fiber.Wakeup.IsZero); !same(got, want) {
		t.Fatalf("woken %v, want %v", got, want)
	}
	m.deliver(got...)
}

// Interrupt ends the wait of one who is parked.
func (m *locks) Interrupt(t *rapid.T) {
	_, id := m.fiber(t)
	if i := m.place(id); i > 0 {
		m.timeout(m.line[i].t)
		m.leave(i)
	}
}

func (m *locks) leave(i int) {
	delete(m.waits, m.line[i].t)
	m.spent = append(m.spent, m.line[i].t)
	m.line = slices.Delete(m.line, i, i+1)
}

// Resume lets a woken fiber run: the new owner, or one that was notified of a death.
func (m *locks) Resume(t *rapid.T) {
	if len(m.line) > 0 && !m.line[0].t.IsZero() {
		if tk := m.line[0].t; m.claim(tk).Code != fiber.OK || !m.m.Collect(tk) {
			t.Fatalf("%v was given the lock and does not get it", tk)
		}
		m.spent = append(m.spent, m.line[0].t)
		m.line[0].t = fiber.Ticket{}
		return
	}
	if len(m.failed) > 0 {
		if tk := m.failed[0]; m.claim(tk).Code != fiber.Failed || m.m.Collect(tk) {
			t.Fatalf("%v gets a poisoned lock", tk)
		}
		m.spent = append(m.spent, m.failed[0])
		m.failed = m.failed[1:]
	}
}

// Die ends a fiber at any point of its life; the scheduler reports to the sources of
// its wait and to what it owns.
func (m *locks) Die(t *rapid.T) {
	n, id := m.fiber(t)
	i := m.place(id)
	m.lives[n]++
	switch {
	case i == 0:
		m.ownerDies(t, id)
	case i > 0:
		m.die(m.line[i].t)
		m.leave(i)
	default:
		m.failed = slices.DeleteFunc(m.failed, func(tk fiber.Ticket) bool {
			if tk.ID == id {
				m.die(tk)
			}
			return tk.ID == id
		})
		m.woke(t, m.m.OwnerHook().OwnerDied(id, nil), nil)
	}
}

func (m *locks) ownerDies(t *rapid.T, id fiber.ID) {
	var wakes []fiber.Wakeup
	if tk := m.line[0].t; !tk.IsZero() {
		delete(m.waits, tk)
		m.spent = append(m.spent, tk)
		wakes, _ = m.m.Source().(fiber.Assigner).Forfeit(tk, wakes)
	} else {
		wakes = m.m.OwnerHook().OwnerDied(id, wakes)
	}
	if len(m.m.OwnerHook().OwnerDied(id, nil)) > 0 {
		t.Fatalf("%v died twice", id)
	}
	if m.policy == HandOver {
		m.advance(t, wakes...)
		return
	}
	var want []fiber.Wakeup
	for _, l := range m.line[1:] {
		want = append(want, woken(l.t, fiber.Failed, 0))
		m.failed = append(m.failed, l.t)
	}
	m.line, m.dead = nil, id
	m.woke(t, wakes, want)
}

// Repair makes a poisoned lock usable.
func (m *locks) Repair(t *rapid.T) {
	if m.m.Repair() != (m.dead != 0) {
		t.Fatalf("repaired a lock that %v poisoned", m.dead)
	}
	m.dead = 0
}

// Stale asks about a wait that is over.
func (m *locks) Stale(t *rapid.T) {
	if len(m.spent) > 0 {
		tk := rapid.SampledFrom(m.spent).Draw(t, "spent")
		if m.m.Collect(tk) || m.m.Source().Holds(tk) || forfeits(m.m.Source().(fiber.Assigner), tk, m.m.Source().Withdraw(tk, nil)) {
			t.Fatalf("%v is still known", tk)
		}
	}
}

// Check compares everything there is to see, and the invariants listed on Mutex.
func (m *locks) Check(t *rapid.T) {
	var want []fiber.Ticket
	for _, l := range m.line[min(1, len(m.line)):] {
		want = append(want, l.t)
	}
	var got []fiber.Ticket
	for tk := range m.m.waiting.All() {
		got = append(got, tk)
	}
	switch x := m.m; {
	case x.owner != m.owner() || x.dead != m.dead || !slices.Equal(got, want):
		t.Fatalf("%v: waiting %v, want line %v, dead %v", x.Source().(fiber.Described).Describe(), got, m.line, m.dead)
	case x.owner == 0 && x.waiting.Waiting() > 0 || x.dead != 0 && x.owner != 0:
		t.Fatalf("%v: waiting without an owner", x.Source().(fiber.Described).Describe())
	case !x.granted.IsZero() && x.granted != m.line[0].t:
		t.Fatalf("%v: granted to %v, want %v", x.Source().(fiber.Described).Describe(), x.granted, m.line[0].t)
	}
}

func TestAnyHistoryOfAMutexIsThatOfALineOfFibers(t *testing.T) {
	for name, policy := range map[string]OwnerDeath{"poison": Poison, "hand on": HandOver} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := &locks{fake: newFake(t), m: NewMutex(policy), policy: policy}
				for range rounds {
					t.Repeat(map[string]func(*rapid.T){
						"lock": m.Lock, "unlock": m.Unlock, "interrupt": m.Interrupt, "resume": m.Resume,
						"die": m.Die, "repair": m.Repair, "stale": m.Stale, "": m.Check,
					})
				}
			})
		})
	}
}
