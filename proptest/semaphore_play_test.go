package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/wait"
)

// semModel is a number of permits, given out in the order of coming, several at a time.
type semModel struct {
	simple[semState]
	people, size int
	bug          string
}

type semState struct{ crowd }

func (m semModel) Init() semState { return semState{} }

// All asks for one too many, too.
func (m semModel) All() []act {
	return actions(m.people, map[verb]int{"Acquire": m.size + 1, vWait: m.size + 1, "Release": m.size}, "Acquire", vWait, "Release")
}

func (m semModel) free(s *semState) int {
	free := m.size
	for _, p := range s.people {
		free -= int(p.has)
	}
	return free
}

func (m semModel) Check(s *semState) graph.Breach {
	if m.free(s) < 0 {
		return graph.Breaks(12, "%d of %d permits are free", m.free(s), m.size)
	}
	return s.nobodyIsForgotten()
}

// serve gives to the head of the line as long as there is enough for it.
func (m semModel) serve(s *semState) {
	for s.length > 0 {
		who := s.line[0]
		if m.bug == "serves who wants least" {
			for _, w := range s.queue() {
				if s.people[w].wants < s.people[who].wants {
					who = w
				}
			}
		}
		p := &s.people[who]
		if int(p.wants) > m.free(s) {
			return
		}
		p.has += p.wants
		s.wakes(who, "acquired")
	}
}

func (m semModel) Step(s *semState, a act) (reply, bool) {
	if r, ok := s.common(a); ok {
		if a.verb == vKill || a.verb == vGiveUp && m.bug != "forgets who came behind" {
			m.serve(s)
		}
		return r, true
	}
	p := &s.people[a.who]
	n := int(a.n)
	free := (s.length == 0 || m.bug == "overtakes") && n <= m.free(s)
	switch {
	case p.stands != isReady:
		return "", false
	case a.verb == "Acquire" && n > m.size:
		return "too many", true
	case a.verb == "Acquire" && !free:
		return "busy", true
	case a.verb == "Acquire":
		p.has += a.n
		return "acquired", true
	case a.verb == vWait && n <= m.size && !free:
		s.parks(a.who, a.n)
		return done, true
	case a.verb == "Release" && a.n <= p.has:
		p.has -= a.n
		m.serve(s)
		return done, true
	}
	return "", false
}

// semObject is the real one.
type semObject struct{ *wait.Semaphore }

func (o semObject) source(act) fiber.Source { return o.Semaphore }

func (o semObject) do(g *attendant, a act) (reply, error) {
	id, n := g.id(a.who), int64(a.n)
	if a.verb == "Release" {
		wakes, err := o.Release(id, n, nil)
		if err == nil && o.Held(id) == 0 {
			g.Attachments().Disown(o.Semaphore)
		}
		return g.deliver(done, wakes, err)
	}
	held := o.Held(id)
	ok, err := o.TryAcquire(id, n)
	switch {
	case err != nil:
		return told(err, map[error]reply{wait.ErrPermits: "too many"})
	case !ok:
		return "busy", nil
	case held == 0:
		g.Attachments().Own(o.Semaphore)
	}
	return "acquired", nil
}

func (o semObject) park(g *attendant, t fiber.Ticket, a act) error {
	return o.ParkAcquire(t, g.id(a.who), int64(a.n))
}

func (o semObject) collect(g *attendant, who uint8, t fiber.Ticket, res fiber.Result) reply {
	n, got := o.Collect(t)
	switch {
	case got != (res.Code == fiber.OK):
		return "told one thing and given another"
	case !got:
		return quits
	case o.Held(g.id(who)) == n:
		g.Attachments().Own(o.Semaphore)
	}
	return "acquired"
}

func (o semObject) refusal(_ *crowd, a act) error {
	switch {
	case a.verb == "Release":
		return wait.ErrNotHeld
	case int64(a.n) > o.Size():
		return wait.ErrPermits
	}
	return wait.ErrReady
}

func semPlay(m semModel) drama {
	return crowdPlay("semaphore", m.people, m, func(s *semState) *crowd { return &s.crowd }, func(g *attendant) func(*semState) error {
		o := semObject{wait.NewSemaphore(int64(m.size))}
		g.object = o
		return func(s *semState) error {
			for who, p := range s.people[:m.people] {
				if p.stands != isDead && o.Held(g.id(uint8(who))) != int64(p.has) {
					return differs(o.Describe(), *s)
				}
			}
			if o.Free() != int64(m.free(s)) || o.Waiting() != int(s.length) {
				return differs(o.Describe(), *s)
			}
			return nil
		}
	})
}
