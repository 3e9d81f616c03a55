// The file is not called cmd_arm.go, which would be built for the ARM architecture only.

package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// arming is what one arm command asks for.
type arming struct {
	reason fiber.Reason
	cases  []alternative
	mutex  *lock
	name   string // of the ticket, if it is to have one
}

func cmdArm(w *world, a *args) {
	ar := arming{reason: a.reason()}
	for a.more() {
		switch option := a.word("an option"); option {
		case "on":
			a.sources(&ar)
		case "by":
			ar.reason = ar.reason.WithDeadline(a.instant())
		case "external":
			ar.reason = ar.reason.FromOutside()
		case "as":
			ar.name = a.fresh("a ticket")
		default:
			a.misuse("%q is no option", option)
		}
	}
	if !a.done() {
		return
	}
	w.arm(&ar)
}

// sources reads the objects of a wait: a mutex, or the cases of a select.
func (a *args) sources(ar *arming) {
	if a.more() {
		if m, ok := a.w.names[a.words[0]].(*lock); ok {
			ar.mutex = m
			a.word("the mutex")
			return
		}
	}
	ar.cases = a.alternatives()
}

// arm arms the wait and registers its ticket. A registration that is refused, because
// the operation would not block, leaves the ticket armed: the script decides.
func (w *world) arm(ar *arming) {
	sel := wait.NewSelect(cases(ar.cases)...)
	sources := sel.Sources(nil)
	if ar.mutex != nil {
		sources = append(sources, ar.mutex.Mutex)
	}
	t := w.s.Arm(ar.reason, sources...)
	w.issued = append(w.issued, t)
	p := w.partyOf(t.ID)
	p.armed, p.wait = t, w.collectsToken(ar.reason)
	if ar.name != "" {
		w.names[ar.name] = t
		w.say("arm: %s is %s, %s", ar.name, w.ticket(t), w.reason(ar.reason))
	} else {
		w.say("arm: %s, %s", w.ticket(t), w.reason(ar.reason))
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
		w.say("arm: not registered: %s", w.named(err.Error()))
	}
}
