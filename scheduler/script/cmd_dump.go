package script

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
)

func cmdDump(w *world, a *args) {
	if !a.done() {
		return
	}
	running := "nobody runs"
	if id := w.s.Current(); id != 0 {
		running = w.id(id) + " runs"
	}
	w.say("dump: %v, %s", w.s.Now(), running)
	w.say("  ready:%s", names(w.ready()))
	blocked := w.blocked()
	for _, p := range w.parties {
		line := fmt.Sprintf("  %s %v %v", p.name, p.id, w.s.Inspect().State(p.id))
		if node := blocked[p.id]; node != nil {
			line += ": " + w.waitsFor(node)
		}
		if !p.armed.IsZero() {
			line += ", armed " + w.ticket(p.armed)
		}
		if w.s.Unwind().KillPending(p.id) {
			line += ", doomed"
		} else if cause := w.s.Unwind().Cause(p.id); cause != nil {
			line += ", cancelled (" + cause.Error() + ")"
		}
		if p.cell != nil {
			line += w.holds(", joined by", p.cell)
		}
		w.say("%s", line)
	}
	w.dumpObjects()
	w.dumpTotals()
}

func names(parties []*party) string {
	var b strings.Builder
	for _, p := range parties {
		b.WriteString(" " + p.name)
	}
	return b.String()
}

// dumpObjects lists every object with the tickets registered there, those of waits
// that are over included: there must be none.
func (w *world) dumpObjects() {
	for _, o := range w.objects {
		w.say("  %s%s", w.named(o.Describe()), w.holds(":", o))
	}
}

// holds lists the tickets registered with an object, after a word.
func (w *world) holds(word string, o interface{ Holds(fiber.Ticket) bool }) string {
	var list []string
	for _, t := range w.issued {
		if o.Holds(t) {
			list = append(list, w.ticket(t))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return word + " " + strings.Join(list, " ")
}

// dumpTotals are the counters that must add up (I12).
func (w *world) dumpTotals() {
	c := w.s.Inspect().Counts()
	w.say("  fibers: spawned %d, ended %d, killed %d, lost results %d", c.Spawned, c.Ended, c.Killed, c.Lost)
	var timers, awaited, outstanding int
	fmt.Sscanf(w.snapshotLine("timers"), "timers %d live; io %d awaited, %d outstanding", &timers, &awaited, &outstanding)
	w.say("  timers %d; operations awaited %d, outstanding %d", timers, awaited, outstanding)
}
