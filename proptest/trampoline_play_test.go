package proptest

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/trampoline"
)

// callModel is fibers whose native code makes calls, one above the other, out of one pool.
type callModel struct {
	fibers, calls int
	bug           string
}

type caller struct {
	stands stands // never woken: it goes on at once
	depth  uint8
	doomed bool
}

type callState struct{ callers [most]caller }

func (m callModel) Valid() error                                              { return nil }
func (m callModel) Init() callState                                           { return callState{} }
func (m callModel) AppendKey(dst []byte, s *callState) []byte                 { return fmt.Appendf(dst, "%v", *s) }
func (m callModel) CheckStep(*callState, act, reply, *callState) graph.Breach { return graph.Breach{} }

func (m callModel) All() (all []act) {
	for who := range uint8(m.fibers) {
		for _, v := range []verb{vSpawn, vKill, "Enter", "EnterForeign", "Leave", "Call", "Park", "Wake", "YieldPinned", "Exit"} {
			all = append(all, act{verb: v, who: who})
		}
	}
	return all
}

func (m callModel) inFlight(s *callState) (n int) {
	for _, c := range s.callers {
		n += int(c.depth)
	}
	return n
}

func (m callModel) Check(s *callState) graph.Breach {
	for f, c := range s.callers {
		if c.stands == isDead && c.depth > 0 || c.stands == isWaiting && (c.doomed || c.depth == 0) || m.inFlight(s) > m.calls {
			return graph.Breaks(4, "f%d: %+v", f, c)
		}
	}
	return graph.Breach{}
}

func (m callModel) Step(s *callState, a act) (reply, bool) {
	c := &s.callers[a.who]
	runs := c.stands == isReady
	switch a.verb {
	case vSpawn:
		if c.stands != isDead {
			return "", false
		}
		*c = caller{stands: isReady}
		return done, true
	case vKill:
		return done, m.kill(c)
	case "Wake":
		ok := c.stands == isWaiting
		if ok {
			c.stands = isReady
		}
		return done, ok
	case "Enter", "EnterForeign", "Call":
		return m.enter(s, c, a.verb), runs
	case "Leave":
		return m.leave(c), runs && c.depth > 0
	case "YieldPinned":
		return done, runs && c.depth > 0
	case "Exit":
		ok := runs && c.depth == 0
		if ok {
			*c = caller{}
		}
		return done, ok
	}
	if !runs || c.depth == 0 || c.doomed {
		return "", false
	}
	c.stands = isWaiting
	return done, true
}

// kill lets those in a call unwind.
func (m callModel) kill(c *caller) bool {
	switch {
	case c.stands == isDead:
		return false
	case c.depth > 0:
		c.stands, c.doomed = isReady, true
	default:
		*c = caller{}
	}
	return true
}

func (m callModel) enter(s *callState, c *caller, v verb) reply {
	switch {
	case c.stands != isReady:
		return ""
	case v == "EnterForeign":
		return "foreign"
	case c.doomed:
		return "killed"
	case m.inFlight(s) == m.calls:
		return "full"
	case v == "Call" && m.bug != "a call is not left":
		return "called"
	}
	c.depth++
	if v == "Call" {
		return "called"
	}
	return "entered"
}

// leave ends the call on top; a fiber that has nothing left to unwind then has ended.
func (m callModel) leave(c *caller) reply {
	if c.stands != isReady || c.depth == 0 {
		return ""
	}
	c.depth--
	if c.doomed && c.depth == 0 {
		*c = caller{}
		return "ended"
	}
	return done
}

// callGuide is a real pool. Its stacks are suspended by ending the slice: the fibers are
// nothing but what the guide has them do.
type callGuide struct {
	*testFibers
	model callModel
	pool  *trampoline.Pool[uint8]
	calls [most][]trampoline.Call[uint8]
}

// parkable is a stack that parks, or one that can do nothing.
type parkable struct {
	*testFibers
	foreign bool
}

func (a parkable) Allows(w trampoline.Way) bool { return !a.foreign && w == trampoline.Parking }
func (a parkable) Park(o fiber.Outcome)         { a.Finish(o) }

func newCallGuide(m callModel) *callGuide {
	g := &callGuide{testFibers: newTestFibers(m.fibers), model: m}
	g.Scheduler = scheduler.New[uint8](scheduler.Config{Number: schedulerNumber, MaxTrampolines: m.calls})
	g.pool = trampoline.New[uint8](g.Scheduler, nil)
	return g
}

func (g *callGuide) do(from *callState, a act, _ *callState) (reply, error) {
	g.step++
	mine := &g.calls[a.who]
	switch a.verb {
	case vSpawn:
		return done, g.spawn(a.who)
	case vKill:
		if len(*mine) > 0 {
			return done, g.Kill(g.fibers[a.who].id, nil)
		}
		return done, g.kill(a.who)
	case "Wake":
		g.Wake((*mine)[len(*mine)-1].ID().ID())
		return done, nil
	}
	if err := g.mount(a.who); err != nil {
		return "", err
	}
	switch a.verb {
	case "Enter", "EnterForeign", "Call":
		return g.enter(a, mine)
	case "Leave":
		return g.leave(from.callers[a.who].doomed, mine)
	case "Exit":
		g.Exit(nil, nil)
		return done, nil
	}
	how := fiber.BlockOn(fiber.OnQueue())
	if a.verb == "YieldPinned" {
		how = fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
	return done, (*mine)[len(*mine)-1].Suspend(how)
}

func (g *callGuide) enter(a act, mine *[]trampoline.Call[uint8]) (reply, error) {
	var call trampoline.Call[uint8]
	var err error
	stack := parkable{g.testFibers, a.verb == "EnterForeign"}
	if a.verb == "Call" {
		err = g.pool.Park(stack, trampoline.CalleeFunc(func() fiber.Outcome { return fiber.Outcome{Kind: fiber.Done} }))
	} else {
		call, err = g.pool.Enter(trampoline.Parking, stack)
	}
	if err != nil {
		return told(err, map[error]reply{
			trampoline.ErrForeignStack: "foreign", scheduler.ErrKilled: "killed", scheduler.ErrTooManyTrampolines: "full",
		})
	}
	if a.verb == "Enter" {
		*mine = append(*mine, call)
		return "entered", nil
	}
	return "called", nil
}

func (g *callGuide) leave(doomed bool, mine *[]trampoline.Call[uint8]) (reply, error) {
	last := len(*mine) - 1
	(*mine)[last].Leave()
	*mine = (*mine)[:last]
	if !doomed || last > 0 {
		return done, nil
	}
	g.Finish(fiber.Outcome{Kind: fiber.Done})
	return "ended", nil
}

func (g *callGuide) refuses(s *callState, a act) error {
	g.step++
	c, mine := s.callers[a.who], g.calls[a.who]
	var broken *scheduler.ContractError
	switch {
	case a.verb == vKill:
		return wanted(g.Kill(g.fibers[a.who].id, nil), scheduler.ErrGone)
	case a.verb == "Wake" && len(mine) > 0:
		if err := g.wakes(mine[len(mine)-1].ID().ID()); !errors.As(err, &broken) || broken.Rule.String() != "I3" {
			return fmt.Errorf("a wake of a call that runs: %w", err)
		}
	case a.verb == "Exit" && c.stands == isReady:
		if err := g.exits(a.who); !errors.As(err, &broken) || broken.Rule.String() != "I2" {
			return fmt.Errorf("an exit from within a call: %w", err)
		}
	}
	return nil
}

func (g *callGuide) wakes(id fiber.ID) (err error) {
	defer caught(&err)
	g.Wake(id)
	return nil
}

func (g *callGuide) exits(f uint8) (err error) {
	defer caught(&err)
	if err := g.mount(f); err != nil {
		return err
	}
	g.Exit(nil, nil)
	return nil
}

func (g *callGuide) match(s *callState) error {
	n := g.model.inFlight(s)
	for f, c := range s.callers[:g.model.fibers] {
		if err := g.testFibers.match(uint8(f), c.stands == isDead, c.stands == isWaiting); err != nil {
			return err
		}
	}
	var leak *trampoline.LeakError
	if err := g.pool.Check(); (err != nil) != (n > 0) || errors.As(err, &leak) && len(leak.Calls) != n {
		return fmt.Errorf("%d calls are in flight: %w", n, err)
	}
	if g.pool.InFlight() != n || g.Inspect().LiveTrampolines() != n {
		return fmt.Errorf("%d and %d calls are in flight, not %d", g.pool.InFlight(), g.Inspect().LiveTrampolines(), n)
	}
	g.Inspect().Verify()
	return nil
}

func callPlay(m callModel) drama {
	return &play[callModel, callState, act, reply]{title: fmt.Sprintf("trampolines %+v", m), model: m, fresh: func() guide[callState, act, reply] {
		return newCallGuide(m)
	}}
}
