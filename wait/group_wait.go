package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// Sources appends what the wait is to be armed with. A cell of several members is
// appended once for each.
func (g *Group) Sources(dst []fiber.Source) []fiber.Source {
	for i := range g.awaited {
		if src := joinCase(g.members[i].join).Source(); src != nil {
			dst = append(dst, src)
		}
	}
	return dst
}

// awaited yields the members to wait for: those that Try has not seen to have ended, or
// for All the first of them.
func (g *Group) awaited(yield func(int) bool) {
	for i := g.from; i < len(g.members); i++ {
		if !g.members[i].ended && (!yield(i) || g.goal == All) {
			return
		}
	}
}

// Park registers the ticket with the Sources. Errors: ErrForeign, which names the member,
// and ErrReady if a member has ended that Try has not seen, or the goal is reached; then
// nothing is registered.
func (g *Group) Park(t fiber.Ticket) error {
	if g.decided > 0 || g.open == 0 {
		return &Error{Op: "join", Object: fmt.Sprintf("group of %d", len(g.members)), By: t.ID, Err: ErrReady}
	}
	for i := range g.awaited {
		if err := joinCase(g.members[i].join).MayPark(t); err != nil {
			return err
		}
	}
	for i := range g.awaited {
		joinCase(g.members[i].join).Park(t, uint32(i))
	}
	return nil
}

// Collect takes the end that ended a wait, so that it counts before ends that Try has not
// seen yet. False: no end did; a deadline, a cancel, a kill or a wake by ID did.
func (g *Group) Collect(_ fiber.Ticket, res fiber.Result) bool {
	i := int(res.Value)
	if res.Code != fiber.OK || i >= len(g.members) || !g.members[i].join.ended() {
		return false
	}
	if !g.members[i].ended && g.decided == 0 {
		g.end(i)
	}
	return true
}

// Unfinished appends the fibers that have not ended, in the order of adding: the ones to
// cancel. A cell without a known owner adds none.
func (g *Group) Unfinished(dst []fiber.ID) []fiber.ID {
	for i := g.from; i < len(g.members); i++ {
		if owner := g.members[i].join.owner(); owner != 0 {
			dst = append(dst, owner)
		}
	}
	return dst
}
