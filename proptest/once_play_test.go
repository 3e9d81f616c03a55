package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/wait"
)

// onceModel is something that one person runs while the others wait for it. Who has it,
// runs it.
type onceModel struct {
	simple[onceState]
	people int
	handOn bool
	bug    string
}

type onceState struct {
	crowd
	over, failed bool
}

func (m onceModel) Init() onceState { return onceState{} }

func (m onceModel) All() []act {
	return append(actions(m.people, nil, "Run", vWait, "Finish", "Fail"), act{verb: vRepair})
}

func (s *onceState) runs() (n int) {
	for _, p := range s.people {
		n += int(p.has)
	}
	return n
}

func (m onceModel) Check(s *onceState) graph.Breach {
	if n := s.runs(); n > 1 || n == 1 && (s.over || s.failed) || s.length > 0 && n == 0 {
		return graph.Breaks(11, "%d run it, %d wait, over: %v, failed: %v", n, s.length, s.over, s.failed)
	}
	return s.nobodyIsForgotten()
}

// fails ends a run that came to nothing.
func (m onceModel) fails(s *onceState) {
	switch {
	case !m.handOn:
		s.failed = true
		s.wakesAll("failed")
	case s.length > 0 && m.bug == "wakes the next without the turn":
		s.wakes(s.line[0], "done")
	case s.length > 0:
		s.people[s.line[0]].has = 1
		s.wakes(s.line[0], "run")
	}
}

func (m onceModel) Step(s *onceState, a act) (reply, bool) {
	p := &s.people[a.who]
	had := p.has
	if r, ok := s.common(a); ok {
		if a.verb == vKill && had > 0 && m.bug != "forgets the runner" {
			m.fails(s)
		}
		return r, true
	}
	switch {
	case a.verb == vRepair:
		was := s.failed
		s.failed = false
		return done, was
	case p.stands != isReady:
		return "", false
	case a.verb == "Run":
		return m.asks(s, p), true
	case a.verb == vWait && !s.over && !s.failed && p.has == 0 && s.runs() > 0:
		s.parks(a.who, 0)
	case a.verb == "Finish" && p.has > 0:
		p.has, s.over = 0, true
		s.wakesAll("done")
	case a.verb == "Fail" && p.has > 0:
		p.has = 0
		m.fails(s)
	default:
		return "", false
	}
	return done, true
}

func (m onceModel) asks(s *onceState, p *person) reply {
	switch {
	case s.over:
		return "done"
	case s.failed:
		return "failed"
	case p.has > 0:
		return "reentered"
	case s.runs() > 0:
		return "busy"
	}
	p.has = 1
	return "run"
}

// onceObject is the real one.
type onceObject struct{ *wait.Once }

func (o onceObject) source(act) fiber.Source { return o.Once }

func (o onceObject) do(g *attendant, a act) (reply, error) {
	switch a.verb {
	case vRepair:
		if !o.Repair() {
			return "", errNothing
		}
		return done, nil
	case "Run":
		return o.run(g, a)
	}
	end := o.Finish
	if a.verb == "Fail" {
		end = o.Fail
	}
	wakes, err := end(g.id(a.who), nil)
	if err == nil {
		g.Attachments().Disown(o.Once)
	}
	return g.deliver(done, wakes, err)
}

func (o onceObject) run(g *attendant, a act) (reply, error) {
	run, over, err := o.TryRun(g.id(a.who))
	switch {
	case err != nil:
		return told(err, map[error]reply{wait.ErrReentered: "reentered", wait.ErrRunFailed: "failed"})
	case over:
		return "done", nil
	case !run:
		return "busy", nil
	}
	g.Attachments().Own(o.Once)
	return "run", nil
}

func (o onceObject) park(g *attendant, t fiber.Ticket, a act) error { return o.ParkRun(t, g.id(a.who)) }

func (o onceObject) collect(g *attendant, _ uint8, t fiber.Ticket, res fiber.Result) reply {
	run := o.Collect(t)
	switch {
	case run && res.Code == fiber.OK:
		g.Attachments().Own(o.Once)
		return "run"
	case run:
		return "told one thing and given another"
	case res.Code == fiber.OK:
		return "done"
	case res.Code == fiber.Failed && res.Value != quitTag:
		return "failed"
	}
	return quits
}

func (o onceObject) refusal(c *crowd, a act) error {
	switch {
	case a.verb == vRepair:
		return errNothing
	case a.verb != vWait:
		return wait.ErrNotRunner
	case o.Done():
		return wait.ErrReady
	case o.Err() != nil:
		return wait.ErrRunFailed
	case c.people[a.who].has > 0:
		return wait.ErrReentered
	}
	return wait.ErrReady
}

func oncePlay(m onceModel) drama {
	return crowdPlay("once", m.people, m, func(s *onceState) *crowd { return &s.crowd }, func(g *attendant) func(*onceState) error {
		o := onceObject{wait.NewOnce(policyOf(m.handOn))}
		g.object = o
		return func(s *onceState) error {
			runner := fiber.ID(0)
			for who, p := range s.people[:m.people] {
				if p.has > 0 {
					runner = g.id(uint8(who))
				}
			}
			if o.Runner() != runner || o.Done() != s.over || (o.Err() != nil) != s.failed || o.Waiting() != int(s.length) {
				return differs(o.Describe(), *s)
			}
			return nil
		}
	})
}
