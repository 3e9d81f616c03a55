package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// party is a fiber of either pool under its name, and the payload of the scheduler. A
// name is given once, so it means the same fiber for ever, dead or alive.
type party struct {
	name string
	id   fiber.ID
	cell *ioqueue.Cell // joinable: completed when the fiber exits

	// The wait, by the books a host keeps too.
	armed fiber.Ticket // zero unless armed
	wait  ending       // what the operation that waits has to do at the end; nil for none

	// As the script was last told.
	state  fiber.State
	doomed bool
}

// ending finishes an operation whose wait is over: it collects from its source what
// was assigned to the ticket, and says what came.
type ending func(t fiber.Ticket, r fiber.Result) string

// enlist gives a new fiber its name.
func (w *world) enlist(name string, id fiber.ID, cell *ioqueue.Cell) *party {
	p := &party{name: name, id: id, cell: cell}
	w.parties = append(w.parties, p)
	w.names[name] = p
	return p
}

func (w *world) partyOf(id fiber.ID) *party {
	for _, p := range w.parties {
		if p.id == id && id != 0 {
			return p
		}
	}
	return nil
}

// executing is the context that runs, or nil.
func (w *world) executing() *party { return w.partyOf(w.s.Inspect().Executing()) }

// actor is the executing context for a command that would do something before it
// arms, and so has to ask first what Arm would refuse.
func (w *world) actor(a *args) *party {
	p := w.executing()
	switch {
	case !a.done():
		return nil
	case p == nil:
		a.fail("nobody runs; mount a fiber first, with next")
		return nil
	case !p.armed.IsZero():
		a.fail("%s has %s armed; block or disarm first", p.name, w.ticket(p.armed))
		return nil
	}
	return p
}

// suspend takes the executing context through a whole wait: arm, register, block. Its
// end is for claim, when the fiber runs again.
func (w *world) suspend(cmd string, p *party, r fiber.Reason, park func(fiber.Ticket) error, end ending, sources ...fiber.Source) {
	t := w.s.Arm(r, sources...)
	w.issued = append(w.issued, t)
	if err := park(t); err != nil {
		w.s.Disarm()
		w.deny(cmd, err)
		w.refused = false // arming and disarming has used up a ticket
		return
	}
	p.wait = end
	w.say("%s: %s, %v", cmd, w.ticket(t), w.s.Block())
}

// plain is the end of a wait of which there is no more to say than its code, and for a
// cancelled or killed fiber the cause.
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
