package schedscript

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// member is a fiber of either pool under its name, and the payload of the scheduler. A name is
// given once, so it means the same fiber for the rest of the script, dead or alive.
type member struct {
	name string
	id   fiber.ID
	cell *ioqueue.Cell // joinable: completed when the fiber exits

	// The wait, as a host tracks it.
	armed   fiber.Ticket // zero unless armed
	wait    ending       // completes the operation that waits; nil if there is nothing to do
	claimed fiber.Ticket // of the wait whose result was claimed last

	// The state that the script printed last.
	state  fiber.State
	doomed bool
}

// ending completes an operation whose wait has ended: it collects from its source what was
// assigned to the ticket, and says what came.
type ending func(t fiber.Ticket, r fiber.Result) string

// enlist gives a new fiber its name.
func (w *world) enlist(name string, id fiber.ID, cell *ioqueue.Cell) *member {
	p := &member{name: name, id: id, cell: cell}
	w.members = append(w.members, p)
	w.named[name] = p
	return p
}

func (w *world) memberOf(id fiber.ID) *member {
	for _, p := range w.members {
		if p.id == id && id != 0 {
			return p
		}
	}
	return nil
}

// nameOf is the name that the script gave to the fiber with an ID, or "".
func (w *world) nameOf(text string) string {
	id, err := fiber.ParseID(text)
	if p := w.memberOf(id); err == nil && p != nil {
		return p.name
	}
	return ""
}

// executing is the context that runs, or nil.
func (w *world) executing() *member { return w.memberOf(w.s.Inspect().Executing()) }

// waiter is the executing context for a command that acts before it arms, and so has to check
// first what Arm would refuse. It rejects the command and returns nil if Arm would refuse.
func (w *world) waiter() *member {
	p := w.executing()
	switch {
	case p == nil:
		w.reject("no fiber runs; mount a fiber first, with next")
		return nil
	case !p.armed.IsZero():
		w.reject("%s has %s armed; block or disarm first", p.name, w.ticket(p.armed))
		return nil
	}
	return p
}

// suspend takes the executing context through a whole wait: arm, register, block. The claim
// command runs its end when the fiber runs again.
func (w *world) suspend(p *member, r fiber.Reason, park func(fiber.Ticket) error, end ending, sources ...fiber.Source) {
	t := w.s.Arm(r, sources...)
	w.issued = append(w.issued, t)
	if err := park(t); err != nil {
		w.s.Disarm()
		w.deny(err)
		w.refused = false // arming and disarming has used up a ticket
		return
	}
	p.wait = end
	w.answer("%s, %v", w.ticket(t), w.s.Block())
}

// unregistered is the registration of a wait that only the scheduler ends.
func unregistered(fiber.Ticket) error { return nil }

// plain describes the end of a wait that brought nothing but a code, and for a cancelled or
// killed fiber the cause.
func (w *world) plain(id fiber.ID, r fiber.Result) string {
	s := r.Code.String()
	if r.Code == fiber.Cancelled || r.Code == fiber.Killed {
		if cause := w.s.Unwind().Cause(id); cause != nil {
			s += " (" + cause.Error() + ")"
		}
	}
	return s
}

// wake delivers what an object decided.
func (w *world) wake(ups ...fiber.Wakeup) {
	for _, up := range ups {
		w.s.Apply(up)
	}
}

// id is a fiber as scripts write it.
func (w *world) id(id fiber.ID) string { return w.names.In(id.String()) }

// ticket is a ticket as scripts write it: a#3.
func (w *world) ticket(t fiber.Ticket) string { return w.names.In(t.String()) }

// token is a token as scripts write it: by its name, or its number if it has none.
func (w *world) token(t fiber.Token) string {
	for _, o := range w.objects {
		if op, ok := o.(*operation); ok && op.token == t {
			return op.name
		}
	}
	return fmt.Sprint(uint64(t))
}
