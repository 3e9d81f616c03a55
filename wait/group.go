package wait

// Goal is what a Group waits for.
type Goal uint8

const (
	// All: every member has ended, with or without an error.
	All Goal = iota
	// FirstError: a member failed, or all have ended.
	FirstError
	// Any: a member ended without an error, or all have failed. (For the first end of any
	// kind use a Select of the joins.)
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

// Group waits for the ends of several fibers in one wait. When it has reached its goal, or
// given up, the host cancels the Unfinished fibers if it wants to, with one
// scheduler.Cancel for each ID. The results are read from the joins.
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
//	for _, id := range g.Unfinished(nil) {
//		sched.Cancel(id, cause)
//	}
//
// With All the group waits for one member after the other, in the order of adding, so the
// cost of an end does not depend on the number of members. The other goals wait for all
// open members at once, and after each end that does not decide they register with all of
// them again; for very many fibers use a scope, which counts ends (package scope).
//
// A Group belongs to one fiber at a time, as a Select does; used again through Reset it
// allocates nothing. The zero Group has the goal All and no members.
type Group struct {
	goal    Goal
	members []member
	open    int // members that Try has not seen to have ended
	from    int // index of the first of them; all before it have ended
	decided int // index + 1 of the member that decided; 0 while undecided
}

type member struct {
	join  Join
	ended bool
}

// Reset gives the group a goal and members, in place of earlier ones.
func (g *Group) Reset(goal Goal, joins ...Join) {
	clear(g.members) // keep no earlier cell alive
	*g = Group{goal: goal, members: g.members[:0]}
	for _, j := range joins {
		g.Add(j)
	}
}

// Add appends a member. Do not call it while the group waits. The same end may be a member
// several times; a zero Join never ends.
func (g *Group) Add(j Join) {
	g.members = append(g.members, member{join: j})
	g.open++
}

// Len counts the members.
func (g *Group) Len() int { return len(g.members) }

// Try reports whether the goal is reached and which member decided it: the first that
// failed, or for Any the first that ended without an error. The index is -1 while none has,
// for All, and when all ended the other way. Among several that ended since the last Try,
// the one added first decides. Done false: it would block.
func (g *Group) Try() (index int, done bool) {
	if g.decided == 0 {
		g.look()
	}
	return g.decided - 1, g.decided > 0 || g.open == 0
}

// look notes the ends since the last call, up to the one that decides. For All it stops
// at the first member that has not ended.
func (g *Group) look() {
	for i := g.from; i < len(g.members) && g.decided == 0; i++ {
		if m := &g.members[i]; !m.ended && m.join.ended() {
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
