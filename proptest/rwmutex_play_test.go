package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/wait"
)

// rwModel is a lock that one writer has or any number of readers, in the order of their
// coming. What a person has or wants is reads or writes.
type rwModel struct {
	simple[rwState]
	people int
	handOn bool
	bug    string
}

const (
	reads  = 1
	writes = 2
)

type rwState struct {
	crowd
	poisoned bool
}

func (m rwModel) Init() rwState { return rwState{} }

func (m rwModel) All() []act {
	return append(actions(m.people, map[verb]int{"Lock": 2, vWait: 2, "Unlock": 2}, "Lock", vWait, "Unlock"), act{verb: vRepair})
}

func (m rwModel) Check(s *rwState) graph.Breach { return s.nobodyIsForgotten() }

// fits tells whether those inside let one more in.
func (s *rwState) fits(wants uint8) bool {
	for _, p := range s.people {
		if p.has == writes || p.has == reads && wants == writes {
			return false
		}
	}
	return true
}

// advance lets in the head of the line as long as there is room.
func (m rwModel) advance(s *rwState) {
	for s.length > 0 {
		who := s.line[0]
		if m.bug == "serves the newest" {
			who = s.line[s.length-1]
		}
		p := &s.people[who]
		if !s.fits(p.wants) {
			return
		}
		p.has = p.wants
		s.wakes(who, "locked")
	}
}

func (m rwModel) Step(s *rwState, a act) (reply, bool) {
	had := s.people[a.who].has
	if r, ok := s.common(a); ok {
		switch {
		case a.verb == vKill && had == writes && !m.handOn:
			s.poisoned = true
			s.wakesAll("poisoned")
		case a.verb == vKill, a.verb == vGiveUp && m.bug != "forgets who came behind":
			m.advance(s)
		}
		return r, true
	}
	p := &s.people[a.who]
	free := (s.length == 0 || m.bug == "overtakes" && a.n == reads) && s.fits(a.n)
	switch {
	case a.verb == vRepair:
		was := s.poisoned
		s.poisoned = false
		return done, was
	case p.stands != isReady:
		return "", false
	case a.verb == "Lock":
		return m.lock(s, p, a.n, free), true
	case a.verb == vWait:
		ok := !s.poisoned && p.has == 0 && !free
		if ok {
			s.parks(a.who, a.n)
		}
		return done, ok
	case a.verb == "Unlock" && p.has == a.n:
		p.has = 0
		m.advance(s)
		return done, true
	}
	return "", false
}

func (m rwModel) lock(s *rwState, p *person, n uint8, free bool) reply {
	switch {
	case s.poisoned:
		return "poisoned"
	case p.has != 0:
		return "double"
	case !free:
		return "busy"
	}
	p.has = n
	return "locked"
}

// rwObject is the real one.
type rwObject struct{ *wait.RWMutex }

func (o rwObject) source(act) fiber.Source { return o.RWMutex }

func (o rwObject) do(g *attendant, a act) (reply, error) {
	switch a.verb {
	case vRepair:
		if !o.Repair() {
			return "", errNothing
		}
		return done, nil
	case "Lock":
		return o.lock(g, a)
	}
	unlock := o.Unlock
	if a.n == reads {
		unlock = o.RUnlock
	}
	wakes, err := unlock(g.id(a.who), nil)
	if err == nil {
		g.Attachments().Disown(o.RWMutex)
	}
	return g.deliver(done, wakes, err)
}

func (o rwObject) lock(g *attendant, a act) (reply, error) {
	try := o.TryLock
	if a.n == reads {
		try = o.TryRLock
	}
	ok, err := try(g.id(a.who))
	switch {
	case err != nil:
		return told(err, map[error]reply{wait.ErrPoisoned: "poisoned", wait.ErrDoubleLock: "double"})
	case !ok:
		return "busy", nil
	}
	g.Attachments().Own(o.RWMutex)
	return "locked", nil
}

func (o rwObject) park(g *attendant, t fiber.Ticket, a act) error {
	if a.n == reads {
		return o.ParkRLock(t, g.id(a.who))
	}
	return o.ParkLock(t, g.id(a.who))
}

func (o rwObject) collect(g *attendant, _ uint8, t fiber.Ticket, res fiber.Result) reply {
	switch got := o.Collect(t); {
	case got && res.Code == fiber.OK:
		g.Attachments().Own(o.RWMutex)
		return "locked"
	case got || res.Code == fiber.OK:
		return "told one thing and given another"
	case res.Code == fiber.Failed && res.Value != quitTag:
		return "poisoned"
	}
	return quits
}

func (o rwObject) refusal(c *crowd, a act) error {
	switch {
	case a.verb == vRepair:
		return errNothing
	case a.verb == "Unlock":
		return wait.ErrNotOwner
	case o.Err() != nil:
		return wait.ErrPoisoned
	case c.people[a.who].has != 0:
		return wait.ErrDoubleLock
	}
	return wait.ErrReady
}

func (o rwObject) seen(s *rwState) error {
	readers, writers := 0, 0
	for _, p := range s.people {
		if p.has == reads {
			readers++
		}
		if p.has == writes {
			writers++
		}
	}
	if o.Readers() != readers || (o.Writer() != 0) != (writers > 0) || o.Waiting() != int(s.length) || (o.Err() != nil) != s.poisoned {
		return differs(o.Describe(), *s)
	}
	return nil
}

func rwPlay(m rwModel) drama {
	return crowdPlay("rwmutex", m.people, m, func(s *rwState) *crowd { return &s.crowd }, func(g *attendant) func(*rwState) error {
		o := rwObject{wait.NewRWMutex(policyOf(m.handOn))}
		g.object = o
		return o.seen
	})
}
