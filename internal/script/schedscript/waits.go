package schedscript

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// reason reads what is waited for.
func (a *args) reason() fiber.Reason {
	switch s := a.word("a reason"); s {
	case "queue":
		return fiber.OnQueue()
	case "io":
		return fiber.OnIO(a.token())
	case "timer":
		return fiber.Until(a.instant())
	default:
		a.fail("%q is no reason; want queue, io OPERATION or timer D", s)
	}
	return fiber.Reason{}
}

// arming is what one arm command asks for.
type arming struct {
	reason fiber.Reason
	cases  []alternative
	mutex  *mutex
	name   string // of the ticket, if it is to have one
}

func (a *args) arming() arming {
	ar := arming{reason: a.reason()}
	for a.more() {
		switch option := a.word("an option"); option {
		case "on":
			if m, ok := peek[*mutex](a); ok {
				ar.mutex = m
			} else {
				ar.cases = a.alternatives()
			}
		case "by":
			ar.reason = ar.reason.WithDeadline(a.instant())
		case "external":
			ar.reason = ar.reason.FromOutside()
		case "as":
			ar.name = a.newName("a ticket")
		default:
			a.misuse("%q is no option", option)
		}
	}
	return ar
}

// cmdArm arms the wait and registers its ticket. A registration that is refused, because the
// operation would not block, leaves the ticket armed: the script decides what to do.
func (w *world) cmdArm(ar arming) {
	sel := wait.NewSelect(cases(ar.cases)...)
	sources := sel.Sources(nil)
	if ar.mutex != nil {
		sources = append(sources, ar.mutex.Source())
	}
	t := w.s.Arm(ar.reason, sources...)
	w.issued = append(w.issued, t)
	p := w.memberOf(t.ID)
	p.armed, p.wait = t, w.collectsToken(ar.reason)
	if ar.name != "" {
		w.named[ar.name] = t
		w.answer("%s is %s, %s", ar.name, w.ticket(t), w.reason(ar.reason))
	} else {
		w.answer("%s, %s", w.ticket(t), w.reason(ar.reason))
	}
	var err error
	switch {
	case ar.mutex != nil:
		p.wait = w.collectsLock(ar.mutex)
		err = ar.mutex.ParkLock(t, w.s.Current())
	case len(ar.cases) > 0:
		p.wait = w.collectsCase(sel, ar.cases)
		err = sel.Park(t)
	}
	if err != nil {
		w.answer("not registered: %s", w.names.In(err.Error()))
	}
}

func (w *world) cmdDisarm() {
	r, came := w.s.Disarm()
	p := w.executing()
	t, end := p.armed, p.wait
	p.armed, p.wait = fiber.Ticket{}, nil
	if !came {
		w.answer("%s, nothing had come", w.ticket(t))
		return
	}
	w.answer("%s had come: %s", w.ticket(t), w.ended(end, t, r))
}

func (w *world) cmdBlock() {
	p := w.executing()
	how := w.s.Block()
	p.armed = fiber.Ticket{} // Block has refused a context that is not armed
	w.answer("%v", how)
}

func (w *world) cmdClaim() {
	t, r := w.s.Claim()
	p := w.executing()
	end := p.wait
	p.wait = nil
	switch {
	case r.Code == fiber.Pending:
		w.answer("%s has not waited", p.name)
	case t == p.claimed:
		w.answer("%s %s; it was claimed before, so it brings nothing", w.ticket(t), w.plain(t.ID, r))
	default:
		p.claimed = t
		w.answer("%s %s", w.ticket(t), w.ended(end, t, r))
	}
}

// ended completes a wait and says what came of it.
func (w *world) ended(end ending, t fiber.Ticket, r fiber.Result) string {
	if end == nil {
		return w.plain(t.ID, r)
	}
	return end(t, r)
}

func (w *world) cmdWake(id fiber.ID) {
	w.s.Wake(id)
	w.answer("%s", w.id(id))
}

func (w *world) cmdDeliver(t fiber.Ticket, code fiber.Code) {
	d := w.s.Deliver(t, fiber.Result{Code: code})
	w.refused = !d.Accepted()
	w.answer("%s %v", w.ticket(t), d)
}

// sleep reads the length of a sleep.
func (a *args) sleep() fiber.Reason { return fiber.Until(a.instant()) }

func (w *world) cmdSleep(r fiber.Reason) {
	if p := w.waiter(); p != nil {
		w.suspend(p, r, unregistered, nil)
	}
}
