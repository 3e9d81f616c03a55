package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

func cmdSelect(w *world, a *args) {
	alts := a.alternatives()
	orElse := a.is("default")
	r := a.by(fiber.OnQueue())
	p := w.actor(a)
	if p == nil {
		return
	}
	sel := wait.NewSelect(cases(alts)...)
	if i, up, ok := sel.Poll(w.s.Inspect().Random()); ok {
		w.say("select: %s", w.outcome(&alts[i]))
		w.wake(up)
		return
	}
	if orElse {
		w.say("select: default")
		return
	}
	w.suspend("select", p, r, sel.Park, w.collectsCase(sel, alts), sel.Sources(nil)...)
}

// collectsCase is the end of a wait on several cases.
func (w *world) collectsCase(sel *wait.Select, alts []alternative) ending {
	return func(t fiber.Ticket, r fiber.Result) string {
		if i, ok := sel.Collect(t, r); ok {
			return r.Code.String() + ": " + w.outcome(&alts[i])
		}
		return w.plain(t.ID, r)
	}
}
