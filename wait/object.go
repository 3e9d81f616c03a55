package wait

import (
	"strconv"

	"github.com/selvage-dev/selvage/fiber"
)

// Object is what all waiting objects have in common: a name for reports and errors,
// and the anchor that ties them to the first scheduler that waits on them. A package with
// an object of its own can embed it.
type Object struct {
	anchor fiber.Anchor
	name   string
}

// Anchored is one of the three methods that make the embedding type a fiber.Source.
func (o *Object) Anchored() *fiber.Anchor { return &o.anchor }

// Name is the name given by SetName, or "".
func (o *Object) Name() string { return o.name }

// SetName gives the object the name that errors and reports show.
func (o *Object) SetName(name string) { o.name = name }

// label is the kind and the name. The name is quoted because a guest may have chosen it.
func (o *Object) label(kind string) string {
	if o.name == "" {
		return kind
	}
	return kind + " " + strconv.Quote(o.name)
}

// woken is the wakeup of a ticket that has no registration left here. From promises that
// to the scheduler, which then need not withdraw the ticket.
func (o *Object) woken(t fiber.Ticket, code fiber.Code, tag uint32) fiber.Wakeup {
	return fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: code, Value: tag}, From: o.anchor.Slot()}
}

// belongs ties the object to the scheduler if it has none yet. False: it has another one.
func (o *Object) belongs(scheduler uint16) bool { return o.anchor.Bind(scheduler, 0) }
