package schedscript

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

func (w *world) cmdIdle() {
	switch v := w.s.Steps().IdleVerdictWithReport(); {
	case v.Err() != nil:
		w.answer("%v", v.Kind)
		w.Say("%s", w.names.In(v.Report.String()))
	case v.Kind == scheduler.Waiting && v.Until == fiber.Never:
		w.answer("waiting for something from outside")
	case v.Kind == scheduler.Waiting:
		w.answer("waiting until %v", v.Until)
	default:
		w.answer("%v", v.Kind)
	}
}

func (w *world) cmdReport() {
	stuck := w.s.Inspect().Report().Stuck
	if len(stuck) == 0 {
		w.answer("no fiber is stuck")
		return
	}
	w.Say("report:")
	w.Say("%s", w.names.In((&scheduler.Report{Stuck: stuck}).String()))
}

func (a *args) raw() fiber.Raw {
	s := a.word("a raw encoding")
	raw, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		a.fail("%q is no raw encoding; want a number below 2^32, as in 3 or 0x80000003", s)
	}
	return fiber.Raw(raw)
}

func (w *world) cmdLookup(raw fiber.Raw) {
	id, err := w.s.Inspect().Lookup(raw)
	w.answerUnless(err, "%s (%v)", w.id(id), id)
}

func (w *world) cmdDump() {
	running := "no fiber runs"
	if id := w.s.Current(); id != 0 {
		running = w.id(id) + " runs"
	}
	w.answer("%v, %s", w.s.Now(), running)
	w.Say("  ready:%s", namesOf(w.ready()))
	blocked := w.blocked()
	for _, p := range w.members {
		w.Say("  %s", w.describe(p, blocked[p.id]))
	}
	// Tickets of waits that have ended are looked for too: no object may hold one.
	for _, o := range w.objects {
		w.Say("  %s%s", w.names.In(o.Describe()), w.holds(":", o))
	}
	w.dumpTotals()
}

// describe is the line of a dump about one fiber.
func (w *world) describe(p *member, node *scheduler.BlockedFiber) string {
	line := fmt.Sprintf("%s %v %v", p.name, p.id, w.s.Inspect().State(p.id))
	if node != nil {
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
		line += w.holds(", joined by", p.cell.Source())
	}
	return line
}

func namesOf(members []*member) string {
	var b strings.Builder
	for _, p := range members {
		b.WriteString(" " + p.name)
	}
	return b.String()
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
	w.Say("  fibers: spawned %d, ended %d, killed %d, lost results %d", c.Spawned, c.Ended, c.Killed, c.Lost)
	var timers, awaited, outstanding int
	fmt.Sscanf(w.snapshotLine("timers"), "timers %d live; io %d awaited, %d outstanding", &timers, &awaited, &outstanding)
	w.Say("  timers %d; operations awaited %d, outstanding %d", timers, awaited, outstanding)
}

func (w *world) cmdVerify() {
	w.s.Inspect().Verify()
	w.answer("ok")
}

func (a *args) historyLength() int {
	return a.numberOr("a count", 10)
}

func (w *world) cmdHistory(n int) {
	events := w.s.Inspect().Recent()
	w.answer("%d of %d", min(n, len(events)), len(events))
	for _, e := range events[max(0, len(events)-n):] {
		pool := "f"
		if e.Fiber.IsTrampoline() {
			pool = "t"
		}
		w.Say("  %v %s%d: %v → %v", e.Op, pool, e.Fiber.Index(), e.From, e.To)
	}
}

// cmdBreakpoint is for a debugger: set a breakpoint on it, and put the command into the script
// where the run should stop.
func (w *world) cmdBreakpoint() { w.Say("_breakpoint") }
