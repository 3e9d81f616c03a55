package scope

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// source is a Scope as the scheduler sees it. It is the same memory under another type, so
// that the methods between scheduler and scope are not methods of Scope.
type source Scope

// A deadlock report can name the scope and the fibers its owner waits for.
var _ fiber.Described = (*source)(nil)

// Source is what the owner's wait is armed with.
func (s *Scope) Source() fiber.Source { return (*source)(s) }

// Anchored is the place for the scheduler's note about the scope.
func (src *source) Anchored() *fiber.Anchor { return &src.anchor }

// Withdraw forgets the owner's wait. No other fiber can continue because of that.
func (src *source) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if src.Holds(t) {
		src.waiting = fiber.Ticket{}
	}
	return dst
}

// Holds reports whether the owner waits with this ticket.
func (src *source) Holds(t fiber.Ticket) bool { return src.waiting == t && !t.IsZero() }

// Describe is the name and the number of living fibers: `scope "crawl" (2 fibers)`.
func (src *source) Describe() string {
	plural := "s"
	if src.roll.n == 1 {
		plural = ""
	}
	return fmt.Sprintf("%s (%d fiber%s)", label(src.opts.Name), src.roll.n, plural)
}

// Holders appends the living fibers, in the order of their spawning.
func (src *source) Holders(dst []fiber.ID) []fiber.ID {
	for m := src.roll.first; m != nil; m = m.next {
		dst = append(dst, m.id)
	}
	return dst
}
