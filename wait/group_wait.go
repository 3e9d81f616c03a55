package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// Sources appends what the wait is to be armed with. Members with the same cell make it
// appear as often.
func (g *Group) Sources(dst []fiber.Source) []fiber.Source {
	for i := range g.awaited {
		if src := g.members[i].join.Source(); src != nil {
			dst = append(dst, src)
		}
	}
	return dst
}

// awaited yields the members to wait for: those not seen to have ended, or for All the
// first of them.
func (g *Group) awaited(yield func(int) bool) {
	for i := g.from; i < len(g.members); i++ {
		if !g.members[i].ended && (!yield(i) || g.goal == All) {
			return
		}
	}
}

// Park registers the ticket where Sources said. Errors: ErrForeign, naming the member,
// and ErrReady if a member has ended that Try has not seen, or the goal is reached;
// then nothing is registered.
func (g *Group) Park(t fiber.Ticket) error {
	if g.decided > 0 || g.open == 0 {
		return &Error{Op: "join", Object: fmt.Sprintf("group of %d", len(g.members)), By: t.ID, Err: ErrReady}
	}
	for i := range g.awaited {
		if err := g.members[i].join.MayPark(t); err != nil {
			return err
		}
	}
	for i := range g.awaited {
		g.members[i].join.Park(t, uint32(i))
	}
	return nil
}

// Collect takes the end that ended a wait, so that it comes before ends that nobody has
// looked at yet. False: none did (a deadline, a cancel or a kill came first, or the
// fiber was woken by ID).
func (g *Group) Collect(_ fiber.Ticket, res fiber.Result) bool {
	i := int(res.Value)
	if res.Code != fiber.OK || i >= len(g.members) || !g.members[i].join.Ready() {
		return false
	}
	if !g.members[i].ended && g.decided == 0 {
		g.end(i)
	}
	return true
}

// Rest appends the fibers whose end has not come, in the order of adding: those to
// cancel. A cell that nobody is named for has none.
func (g *Group) Rest(dst []fiber.ID) []fiber.ID {
	for i := g.from; i < len(g.members); i++ {
		dst = g.members[i].join.holders(dst)
	}
	return dst
}
