package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// names is the refinement map: what the names of the model stand for. The scheduler
// chooses its own slots, ticket numbers and tokens; nothing depends on which.
type names struct {
	// id is the last fiber that lived in a slot of the model, dead or alive.
	id [spec.MaxSlots]fiber.ID
	// ticket is the last that had the number. While the model says that the
	// number is held this is the one that is held, later it is one that was used.
	ticket [spec.MaxSlots][spec.MaxTickets]fiber.Ticket
	// token is the last operation that had the number.
	token [spec.MaxTokens]fiber.Token
	// due is the last instant that a deadline of the model was.
	due [spec.MaxDeadlines]fiber.Time
	// grace is when the last grace period ends.
	grace fiber.Time
	// movable: the fiber in a slot may move.
	movable [spec.MaxFibers]bool
	// bonds is what ties, or last tied, the fiber in a slot to its scheduler.
	bonds [spec.MaxFibers]*bonds
	// last is the Seq of the ticket that was armed last.
	last uint64
}

// regular is the fiber in a regular slot, as the API that takes only such wants it.
func (n *names) regular(x spec.Slot) fiber.RegularID {
	id, _ := n.id[x].Regular()
	return id
}

// Fiber is the fiber that lives in a slot of the model, or the last that did.
func (r *Harness) Fiber(x spec.Slot) fiber.ID { return r.names.id[x] }

// context is id, and none for NoSlot.
func (n *names) context(x spec.Slot) fiber.ID {
	if x == spec.NoSlot {
		return 0
	}
	return n.id[x]
}

// newNumber is the number of the ticket that x arms between from and to.
func newNumber(x spec.Slot, from, to *spec.State) spec.Number {
	for n, h := range to.Contexts[x].Hands {
		if h != from.Contexts[x].Hands[n] {
			return spec.Number(n)
		}
	}
	return spec.NoNumber
}

// No scheduler gives these out in these tests. Where the model names something that
// has not been there yet, they stand for it.
const (
	neverGeneration = 1 << 30
	neverSeq        = 1 << 40
	neverToken      = fiber.Token(1<<60 | 1)
)

// dead is the fiber that last died in a slot, or one that never was.
func (n *names) dead(x spec.Slot) fiber.ID {
	switch id := n.id[x]; {
	case id != 0:
		return id
	case x.IsTrampoline():
		return fiber.NewTrampolineID(uint32(x.Index()), neverGeneration).ID()
	}
	return fiber.NewRegularID(uint32(x.Index()), neverGeneration).ID()
}

// used is the ticket that last had the number, or one that was never armed.
func (n *names) used(x spec.Slot, number spec.Number) fiber.Ticket {
	if t := n.ticket[x][number]; !t.IsZero() {
		return t
	}
	return fiber.Ticket{ID: n.dead(x), Seq: fiber.NewSeq(schedulerNumber, neverSeq+uint64(number))}
}

// over is the operation that last had the number, or one that was never submitted.
func (n *names) over(k int) fiber.Token {
	if n.token[k] != 0 {
		return n.token[k]
	}
	return neverToken
}
