package proptest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/wait"
)

// groupModel is one fiber that waits for the ends of others as one. The members are
// numbers of the others, and may name one several times.
type groupModel struct {
	goal    wait.Goal
	members [4]uint8
	bug     string
}

// theOthers is how many there are.
const theOthers = 3

// How one of the others has ended.
const (
	isOpen = iota
	endedWell
	endedBadly
	wasKilled
)

type groupState struct {
	ended   [theOthers]uint8
	seen    [4]bool // members whose end the group knows of
	decided uint8   // 1 + the member that decided
	stands  stands
	by      uint8 // the member whose end ended the wait; only if how says so
	how     reply
}

func (m groupModel) Valid() error { return nil }

func (m groupModel) Init() groupState { return groupState{stands: isReady} }

func (m groupModel) All() (all []act) {
	for who := range uint8(theOthers) {
		for n := range uint8(wasKilled) {
			all = append(all, act{"End", who, n + 1})
		}
	}
	return append(all, act{verb: vSpawn}, act{verb: "Try"}, act{verb: vWait}, act{verb: vGiveUp}, act{verb: vClaim})
}

func (m groupModel) AppendKey(dst []byte, s *groupState) []byte {
	return fmt.Appendf(dst, "%+v", *s)
}

func (m groupModel) CheckStep(*groupState, act, reply, *groupState) graph.Breach {
	return graph.Breach{}
}

// Check: nobody waits for what has come, and is awaited.
func (m groupModel) Check(s *groupState) graph.Breach {
	for i := range m.members {
		if s.stands == isWaiting && m.awaits(s, i) && s.ended[m.members[i]] != isOpen {
			return graph.Breaks(9, "member %d has ended and the group waits for it", i)
		}
	}
	return graph.Breach{}
}

// awaits: the wait is on this member: All waits for the first that is missing.
func (m groupModel) awaits(s *groupState, i int) bool {
	if m.goal == wait.All {
		return i == slices.Index(s.seen[:], false)
	}
	return !s.seen[i]
}

func (m groupModel) sees(s *groupState, i int) {
	if s.seen[i] {
		return
	}
	s.seen[i] = true
	if well := s.ended[m.members[i]] == endedWell; m.goal == wait.FirstError && !well || m.goal == wait.Any && well {
		s.decided = uint8(i) + 1
	}
}

func (m groupModel) over(s *groupState) bool {
	return s.decided > 0 || !slices.Contains(s.seen[:], false)
}

func (m groupModel) Step(s *groupState, a act) (reply, bool) {
	switch a.verb {
	case "End":
		return done, m.end(s, a)
	case vSpawn: // others, when all have ended
		if s.stands != isReady || slices.Contains(s.ended[:], isOpen) {
			return "", false
		}
		*s = m.Init()
		return done, true
	case "Try":
		if s.stands != isReady {
			return "", false
		}
		return m.try(s), true
	case vWait:
		for i := range m.members {
			if m.awaits(s, i) && s.ended[m.members[i]] != isOpen {
				return "", false
			}
		}
		if s.stands != isReady || m.over(s) {
			return "", false
		}
		s.stands = isWaiting
		return done, true
	case vGiveUp:
		if s.stands != isWaiting {
			return "", false
		}
		s.stands, s.how = isWoken, quits
		return done, true
	}
	return m.claim(s)
}

func (m groupModel) end(s *groupState, a act) bool {
	if s.ended[a.who] != isOpen {
		return false
	}
	s.ended[a.who] = a.n
	for i, member := range m.members {
		if s.stands == isWaiting && member == a.who && m.awaits(s, i) && m.bug != "is deaf to ends" {
			s.stands, s.how, s.by = isWoken, "ended", uint8(i)
		}
	}
	return true
}

func (m groupModel) try(s *groupState) reply {
	for i, member := range m.members {
		switch ended := s.ended[member] != isOpen; {
		case s.decided > 0:
		case ended:
			m.sees(s, i)
		case m.goal == wait.All:
			return m.verdict(s)
		}
	}
	return m.verdict(s)
}

func (m groupModel) verdict(s *groupState) reply {
	return reply(fmt.Sprintf("%d %v", int(s.decided)-1, m.over(s)))
}

func (m groupModel) claim(s *groupState) (reply, bool) {
	if s.stands != isWoken {
		return "", false
	}
	how := s.how
	if how != quits && s.decided == 0 && m.bug != "does not look who ended" {
		m.sees(s, int(s.by))
	}
	s.stands, s.how, s.by = isReady, "", 0
	return how, true
}

// groupGuide is the real ones: fiber 0 waits, the others have cells.
type groupGuide struct {
	*stage
	model groupModel
	group *wait.Group
	cells [theOthers]*ioqueue.Cell
}

var errBadEnd = errors.New("it ended badly")

func newGroupGuide(m groupModel) *groupGuide {
	g := &groupGuide{stage: newStage(1 + theOthers), model: m, group: wait.NewGroup(m.goal)}
	if err := g.spawn(0); err != nil {
		panic(err)
	}
	if err := g.others(); err != nil {
		panic(err)
	}
	return g
}

// others are spawned, and are the members from now on.
func (g *groupGuide) others() error {
	g.group.Reset(g.model.goal)
	for i := range g.cells {
		g.cells[i] = new(ioqueue.Cell)
		id, err := g.SpawnWith(uint8(i)+1, scheduler.Options{Cell: g.cells[i]})
		if err != nil {
			return err
		}
		g.fibers[i+1] = player{id: id.ID()}
	}
	for _, member := range g.model.members {
		j, err := wait.JoinOn(g.cells[member], g.fibers[0].id)
		if err != nil {
			return err
		}
		g.group.Add(j)
	}
	return nil
}

func (g *groupGuide) do(_ *groupState, a act, _ *groupState) (reply, error) {
	g.step++
	switch a.verb {
	case "End":
		return done, g.end(a)
	case vSpawn:
		return done, g.others()
	case vGiveUp:
		return done, g.giveUp(0)
	case vClaim:
		res, err := g.claim(0)
		if !g.group.Collect(g.fibers[0].ticket, res) {
			return quits, err
		}
		return "ended", err
	case vWait:
		return done, g.wait()
	}
	if err := g.mount(0); err != nil {
		return "", err
	}
	i, over := g.group.Try()
	return reply(fmt.Sprintf("%d %v", i, over)), nil
}

func (g *groupGuide) end(a act) error {
	f := a.who + 1
	if a.n == wasKilled {
		return g.killed(f)
	}
	if err := g.mount(f); err != nil {
		return err
	}
	if a.n == endedBadly {
		g.Exit(nil, errBadEnd)
		return nil
	}
	g.Exit(int(f), nil)
	return nil
}

func (g *groupGuide) wait() error {
	if err := g.mount(0); err != nil {
		return err
	}
	t := g.Arm(fiber.OnQueue(), g.group.Sources(nil)...)
	if err := g.group.Park(t); err != nil {
		g.Disarm()
		return err
	}
	return g.block(0, t)
}

func (g *groupGuide) refuses(s *groupState, a act) error {
	g.step++
	switch {
	case a.verb == vWait && s.stands == isReady:
		return wanted(g.wait(), wait.ErrReady)
	case a.verb == vGiveUp:
		return g.tooLate(0)
	}
	return nil
}

// match: the members whose end has not come are the rest, in their order.
func (g *groupGuide) match(s *groupState) error {
	var open []fiber.ID
	for _, member := range g.model.members {
		if s.ended[member] == isOpen {
			open = append(open, g.fibers[member+1].id)
		}
	}
	if rest := g.group.Rest(nil); !slices.Equal(rest, open) {
		return fmt.Errorf("the rest is %v, want %v", rest, open)
	}
	g.Inspect().Verify()
	return g.stage.match(0, false, s.stands == isWaiting)
}

func groupPlay(m groupModel) drama {
	return &play[groupModel, groupState, act, reply]{title: fmt.Sprintf("group %+v", m), model: m, fresh: func() guide[groupState, act, reply] {
		return newGroupGuide(m)
	}}
}
