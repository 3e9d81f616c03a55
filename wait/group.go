package wait

// Goal is what a Group waits for.
type Goal uint8

const (
	// All: every member has ended, well or not.
	All Goal = iota
	// FirstError: a member failed, or all have ended.
	FirstError
	// Any: a member ended well, or all have failed. (Whichever ends first, well or not,
	// is a Select of the joins.)
	Any
)

var goalNames = [...]string{"all", "first error", "any"}

// String is the lower-case name.
func (g Goal) String() string {
	if int(g) < len(goalNames) {
		return goalNames[g]
	}
	return "invalid goal"
}

// Group waits for the ends of several fibers as one. What remains to be cancelled when
// it has reached its goal, or given up, is Rest: cancelling is the host's, one
// scheduler.Cancel for each ID. The results are read from the members (At), each as
// often as wanted.
//
//	i, done := g.Try()
//	for !done {
//		t := sched.Arm(fiber.OnQueue(), g.Sources(buf[:0])...)
//		err := g.Park(t)
//		sched.Block()
//		t, res := sched.Claim()
//		if !g.Collect(t, res) {
//			break                            // deadline, cancel, kill
//		}
//		i, done = g.Try()
//	}
//	for _, id := range g.Rest(nil) {
//		sched.Cancel(id, cause)
//	}
//
// All waits for one member after the other, in the order of adding, so that each end
// costs the same however many there are. The other goals wait for all open members at
// once, and each end that does not decide costs a registration for each of them; a
// scope of very many fibers counts their ends instead (package scope).
//
// A Group belongs to one fiber at a time, as a Select does, and used again through
// Reset it allocates nothing. The zero Group has no members and waits for nothing.
type Group struct {
	goal    Goal
	members []member
	open    int // members not seen to have ended
	from    int // all members before it were seen to have ended
	decided int // index + 1 of the member that decided
}

type member struct {
	join  Join
	ended bool
}

// NewGroup makes a group of the joins; see Reset.
func NewGroup(goal Goal, joins ...Join) *Group {
	g := new(Group)
	g.Reset(goal, joins...)
	return g
}

// Reset gives the group another goal and other members.
func (g *Group) Reset(goal Goal, joins ...Join) {
	clear(g.members)
	*g = Group{goal: goal, members: g.members[:0]}
	for _, j := range joins {
		g.Add(j)
	}
}

// Add makes the join a member, behind those there are, and not while a wait of the
// group is on. One and the same end may be in it several times; a zero Join never ends.
func (g *Group) Add(j Join) {
	g.members = append(g.members, member{join: j})
	g.open++
}

// Len counts the members.
func (g *Group) Len() int { return len(g.members) }

// At is the i-th member, in the order of adding.
func (g *Group) At(i int) Join { return g.members[i].join }

// Try tells whether the goal was reached and which member decided it: the first that
// failed, or for Any the first that ended well. The index is -1 while nobody has, for
// All, and when all ended the other way. Among several that ended before anybody
// looked, the one added first decides. Done false: it would block.
func (g *Group) Try() (index int, done bool) {
	if g.decided == 0 {
		g.look()
	}
	return g.decided - 1, g.decided > 0 || g.open == 0
}

// look notes the ends that came since the last time, up to the one that decides. For
// All, the first that is missing is enough.
func (g *Group) look() {
	for i := g.from; i < len(g.members) && g.decided == 0; i++ {
		if m := &g.members[i]; !m.ended && m.join.Ready() {
			g.end(i)
		}
		switch ended := g.members[i].ended; {
		case ended && i == g.from:
			g.from++
		case !ended && g.goal == All:
			return
		}
	}
}

func (g *Group) end(i int) {
	m := &g.members[i]
	m.ended = true
	g.open--
	if g.goal == FirstError && m.join.failed() || g.goal == Any && !m.join.failed() {
		g.decided = i + 1
	}
}
