package proptest

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/wait"
)

// condModel is a lock, its line, and the queue of a condition, from which fibers move into the line.
// The fiber that has 1 owns the lock.
type condModel struct {
	simple[condState]
	people int
	handOn bool
	bug    string
}

// What a fiber waits for, and whether it stands in the line or in the condition.
const (
	theLock    = 1
	aSignal    = 2 // in the condition
	signaled   = 3 // in the line: a fiber that gives up or dies passes the signal on
	broadcast  = 4 // in the line
	kindsOfRow = 2 // those that one can ask for
)

type condState struct {
	fiberSet
	inCond   [most]uint8
	condLen  uint8
	chosen   [most]bool // woken because of a signal, and has not claimed
	poisoned bool
}

func (m condModel) Init() condState { return condState{} }

func (m condModel) All() []act {
	return append(actions(m.people, map[verb]int{vWait: kindsOfRow}, "Lock", vWait, "Unlock", "Signal", "Broadcast"), act{verb: vRepair})
}

func (s *condState) owned() bool {
	return slices.ContainsFunc(s.people[:], func(p person) bool { return p.has > 0 })
}

// Check: a fiber that waits is in the condition or in the line, once.
func (m condModel) Check(s *condState) graph.Breach {
	rest := s.fiberSet
	for _, who := range s.inCond[:s.condLen] {
		if p := &rest.people[who]; p.stands != isWaiting || p.wants != aSignal {
			return graph.Breaks(10, "p%d is in the condition: %+v", who, *p)
		}
		rest.people[who].stands = isReady
	}
	if s.length > 0 && !s.owned() {
		return graph.Breaks(9, "p%d waits for a lock that nobody has", s.line[0])
	}
	return rest.checkLine()
}

// handOver gives the lock to the head of the line.
func (m condModel) handOver(s *condState) {
	if s.length == 0 {
		return
	}
	m.grant(s, s.line[0])
}

func (m condModel) grant(s *condState, who uint8) {
	p := &s.people[who]
	p.has, s.chosen[who] = 1, p.wants == signaled
	s.wakes(who, "locked")
}

// signal moves the fiber that has waited for a signal longest into the line.
func (m condModel) signal(s *condState, as uint8) {
	if s.condLen == 0 {
		return
	}
	who := s.leavesCond(0)
	s.people[who].wants = as
	if s.owned() {
		s.parks(who, as)
		return
	}
	m.grant(s, who)
}

func (s *condState) leavesCond(i int) uint8 {
	who := s.inCond[i]
	copy(s.inCond[i:], s.inCond[i+1:s.condLen])
	s.condLen--
	s.inCond[s.condLen] = 0
	return who
}

func (m condModel) Step(s *condState, a act) (reply, bool) {
	p := &s.people[a.who]
	was := *p
	if r, ok := s.common(a); ok {
		m.afterUse(s, a, was)
		return r, true
	}
	switch {
	case a.verb == vRepair:
		was := s.poisoned
		s.poisoned = false
		return done, was
	case p.stands != isReady:
		return "", false
	case a.verb == "Lock":
		return m.lock(s, p), true
	case a.verb == vWait:
		return done, m.wait(s, a)
	case a.verb == "Unlock" && p.has > 0:
		p.has = 0
		m.handOver(s)
	case a.verb == "Signal":
		m.signal(s, signaled)
	case a.verb == "Broadcast":
		for s.condLen > 0 && (m.bug != "broadcasts to one" || a.n == 0) {
			m.signal(s, broadcast)
			a.n = 1
		}
	default:
		return "", false
	}
	return done, true
}

// afterUse is what else the action of a fiber that was so brings about.
func (m condModel) afterUse(s *condState, a act, was person) {
	chosen := s.chosen[a.who]
	switch a.verb {
	case vSpawn, vGiveUp, vKill:
		if i := slices.Index(s.inCond[:s.condLen], a.who); i >= 0 && was.wants == aSignal && was.stands == isWaiting {
			s.leavesCond(i)
		}
		if was.stands == isWaiting && was.wants == signaled && m.bug != "loses the signal of a quitter" {
			m.signal(s, signaled)
		}
	case vClaim:
		s.chosen[a.who] = false
	}
	if a.verb == vKill && was.has > 0 {
		s.chosen[a.who] = false
		m.ownerDied(s, chosen)
	}
}

func (m condModel) ownerDied(s *condState, chosen bool) {
	if chosen && s.condLen > 0 && m.bug != "loses the signal of the dead" {
		who := s.leavesCond(0)
		s.parks(who, signaled)
	}
	if m.handOn {
		m.handOver(s)
		return
	}
	s.poisoned = true
	s.wakesAll("poisoned")
	for s.condLen > 0 {
		s.wakes(s.leavesCond(0), "poisoned")
	}
}

func (m condModel) lock(s *condState, p *person) reply {
	switch {
	case s.poisoned:
		return "poisoned"
	case p.has > 0:
		return "double"
	case s.owned():
		return "busy"
	}
	p.has = 1
	return "locked"
}

func (m condModel) wait(s *condState, a act) bool {
	p := &s.people[a.who]
	switch {
	case a.n == theLock && !s.poisoned && p.has == 0 && s.owned():
		s.parks(a.who, theLock)
		return true
	case a.n == aSignal && p.has > 0:
		p.has, p.stands, p.wants = 0, isWaiting, aSignal
		s.inCond[s.condLen] = a.who
		s.condLen++
		m.handOver(s)
		return true
	}
	return false
}

// condObject is the real ones.
type condObject struct {
	lock *wait.Mutex
	cond *wait.Cond
}

func (o condObject) source(a act) fiber.Source {
	if a.n == aSignal {
		return o.cond.Source()
	}
	return o.lock.Source()
}

func (o condObject) do(g *objectDriver, a act) (reply, error) {
	switch a.verb {
	case vRepair:
		if !o.lock.Repair() {
			return "", errNothing
		}
		return done, nil
	case "Signal":
		return done, g.apply(o.cond.Signal())
	case "Broadcast":
		return done, g.apply(o.cond.Broadcast())
	case "Unlock":
		w, err := o.lock.Unlock(g.id(a.who))
		if err == nil {
			g.Attachments().Disown(o.lock.OwnerHook())
		}
		return g.deliver(done, []fiber.Wakeup{w}, err)
	}
	ok, err := o.lock.TryLock(g.id(a.who))
	switch {
	case err != nil:
		return told(err, map[error]reply{wait.ErrPoisoned: "poisoned", wait.ErrDoubleLock: "double"})
	case !ok:
		return "busy", nil
	}
	g.Attachments().Own(o.lock.OwnerHook())
	return "locked", nil
}

func (o condObject) park(g *objectDriver, t fiber.Ticket, a act) error {
	if a.n == theLock {
		return o.lock.ParkLock(t, g.id(a.who))
	}
	w, err := o.cond.ParkWait(t, g.id(a.who))
	if err != nil {
		return err
	}
	g.Attachments().Disown(o.lock.OwnerHook())
	return g.apply(w)
}

func (o condObject) collect(g *objectDriver, _ uint8, t fiber.Ticket, res fiber.Result) reply {
	switch got := o.cond.Collect(t); { // the lock is the same, whichever way it came
	case got && res.Code == fiber.OK:
		g.Attachments().Own(o.lock.OwnerHook())
		return "locked"
	case got || res.Code == fiber.OK:
		return "told one thing and given another"
	case res.Code == fiber.Failed && res.Value != quitTag:
		return "poisoned"
	}
	return quits
}

func (o condObject) refusal(c *fiberSet, a act) error {
	switch {
	case a.verb == vRepair:
		return errNothing
	case a.verb == "Unlock", a.n == aSignal:
		return wait.ErrNotOwner
	case o.lock.Err() != nil:
		return wait.ErrPoisoned
	case c.people[a.who].has > 0:
		return wait.ErrDoubleLock
	}
	return wait.ErrReady
}

func condPlay(m condModel) drama {
	return fiberSetPlay("cond", m.people, m, func(s *condState) *fiberSet { return &s.fiberSet }, func(g *objectDriver) func(*condState) error {
		lock := wait.NewMutex(policyOf(m.handOn))
		o := condObject{lock, wait.NewCond(lock)}
		g.object = o
		return func(s *condState) error {
			owner := fiber.ID(0)
			for who, p := range s.people[:m.people] {
				if p.has > 0 {
					owner = g.id(uint8(who))
				}
			}
			if lock.Owner() != owner || (lock.Err() != nil) != s.poisoned || o.cond.Source().(interface{ Waiting() int }).Waiting() != int(s.condLen) || lock.Waiting() != int(s.length) {
				return differs(lock.Source().(fiber.Described).Describe()+", "+o.cond.Source().(fiber.Described).Describe(), *s)
			}
			return nil
		}
	})
}
