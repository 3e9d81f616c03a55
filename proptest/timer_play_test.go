package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/wait"
)

// timerModel is a timer that fires once some ticks have passed.
type timerModel struct {
	simple[timerState]
	people int
	bug    string
}

// distances is how many ticks off a timer can be set.
const distances = 2

type timerState struct {
	crowd
	left  uint8 // ticks; 0 if it is not set
	fired bool
}

func (m timerModel) Init() timerState { return timerState{} }

func (m timerModel) All() []act {
	return append(actions(m.people, map[verb]int{"Set": distances}, "Set", "Stop", vWait), act{verb: vTick})
}

func (m timerModel) Check(s *timerState) graph.Breach {
	if s.fired && (s.length > 0 || s.left > 0) {
		return graph.Breaks(9, "it has fired; %d wait, %d ticks are left", s.length, s.left)
	}
	return s.nobodyIsForgotten()
}

func (m timerModel) Step(s *timerState, a act) (reply, bool) {
	if r, ok := s.common(a); ok {
		return r, true
	}
	switch ready := s.people[a.who].stands == isReady; {
	case a.verb == vTick:
		return done, m.tick(s)
	case a.verb == vWait && ready && !s.fired:
		s.parks(a.who, 0)
		return done, true
	case (a.verb == "Set" || a.verb == "Stop") && ready:
		won := s.left > 0
		s.left, s.fired = a.n, false
		if won {
			return "won", true
		}
		return "lost", true
	}
	return "", false
}

func (m timerModel) tick(s *timerState) bool {
	if s.left == 0 {
		return false
	}
	if s.left--; s.left > 0 && m.bug != "fires early" {
		return true
	}
	s.left, s.fired = 0, true
	if m.bug == "wakes one" && s.length > 0 {
		s.wakes(s.line[0], "fired")
		return true
	}
	s.wakesAll("fired")
	return true
}

// timerObject is the real one.
type timerObject struct{ *wait.Timer }

func (o timerObject) source(act) fiber.Source { return o.Timer }

func (o timerObject) do(g *attendant, a act) (reply, error) {
	if a.verb == vTick {
		if g.Current() != 0 {
			g.YieldCurrent()
		}
		g.clock.Advance(g.clock.Now() + 1)
		g.Poll()
		return done, nil
	}
	won := false
	if a.verb == "Stop" {
		won = o.Stop()
	} else {
		won = o.Reset(g.clock.Now() + fiber.Time(a.n))
	}
	g.Attachments().SetAlarm(o.Timer)
	if won {
		return "won", nil
	}
	return "lost", nil
}

func (o timerObject) park(_ *attendant, t fiber.Ticket, _ act) error { return o.ParkWait(t) }

func (o timerObject) collect(_ *attendant, _ uint8, t fiber.Ticket, res fiber.Result) reply {
	if o.Collect(t, res.Code) {
		return "fired"
	}
	return quits
}

func (o timerObject) refusal(_ *crowd, a act) error {
	if a.verb == vTick {
		return nil // time passes whether or not somebody waits for it
	}
	return wait.ErrReady
}

func timerPlay(m timerModel) drama {
	return crowdPlay("timer", m.people, m, func(s *timerState) *crowd { return &s.crowd }, func(g *attendant) func(*timerState) error {
		o := timerObject{new(wait.Timer)}
		g.object = o
		return func(s *timerState) error {
			due := fiber.Never
			if s.left > 0 {
				due = g.clock.Now() + fiber.Time(s.left)
			}
			if o.Fired() != s.fired || o.Deadline() != due || o.Waiting() != int(s.length) {
				return differs(o.Describe(), *s)
			}
			return nil
		}
	})
}
