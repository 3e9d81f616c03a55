package schedscript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// effects says what the command did beside its answer: every change of a fiber's state, with
// the fibers that became runnable in the order in which they will run, and what hooks were told.
func (w *world) effects() {
	told := w.told
	w.told = nil
	if w.s.Inspect().Poisoned() != nil {
		return
	}
	changed := w.changed()
	var blocked map[fiber.ID]*scheduler.BlockedFiber
	if len(changed) > 0 {
		blocked = w.blocked()
	}
	for _, p := range changed {
		w.Say("  %s: %s", p.name, w.change(p, blocked[p.id]))
		if p.state != fiber.Running {
			p.armed = fiber.Ticket{}
		}
	}
	for _, s := range told {
		w.Say("  %s", s)
	}
}

// changed are the fibers whose state is another one than the script printed last; the runnable
// ones come last, in the order of the ready queue.
func (w *world) changed() []*member {
	var rest, ready []*member
	for _, p := range w.members {
		switch state := w.s.Inspect().State(p.id); {
		case state == p.state && w.s.Unwind().KillPending(p.id) == p.doomed:
		case state == fiber.Runnable:
			ready = append(ready, p)
		default:
			rest = append(rest, p)
		}
	}
	if len(ready) > 1 {
		order := w.ready()
		slices.SortStableFunc(ready, func(p, q *member) int {
			return slices.Index(order, p) - slices.Index(order, q)
		})
	}
	return append(rest, ready...)
}

func (w *world) change(p *member, node *scheduler.BlockedFiber) string {
	var parts []string
	state, doomed := w.s.Inspect().State(p.id), w.s.Unwind().KillPending(p.id)
	if state != p.state {
		s := fmt.Sprintf("%v → %v", p.state, state)
		if node != nil {
			s += " (" + w.waitsFor(node) + ")"
		}
		parts = append(parts, s)
	}
	if doomed && !p.doomed {
		parts = append(parts, "doomed")
	}
	p.state, p.doomed = state, doomed
	return strings.Join(parts, ", ")
}

func (w *world) waitsFor(node *scheduler.BlockedFiber) string {
	switch {
	case node.Callee != 0:
		return "its callee " + w.id(node.Callee)
	case node.Pinned:
		return "pinned"
	}
	return w.reason(node.Reason)
}

// blocked is the report of all blocked fibers, by ID.
func (w *world) blocked() map[fiber.ID]*scheduler.BlockedFiber {
	nodes := map[fiber.ID]*scheduler.BlockedFiber{}
	r := w.s.Inspect().Report()
	for i := range r.Fibers {
		nodes[r.Fibers[i].ID] = &r.Fibers[i]
	}
	return nodes
}

// ready is the ready queue. Only the snapshot of the scheduler shows it.
func (w *world) ready() []*member {
	var queue []*member
	for _, word := range strings.Fields(w.snapshotLine("ready")) {
		for _, p := range w.members {
			if fmt.Sprintf("f%d", p.id.Index()) == word && w.s.Inspect().State(p.id) == fiber.Runnable {
				queue = append(queue, p)
			}
		}
	}
	return queue
}

// snapshotLine is the line of the scheduler's snapshot that begins with the word.
func (w *world) snapshotLine(word string) string {
	for s := range strings.Lines(w.s.Inspect().Dump()) {
		if strings.HasPrefix(s, word+" ") || s == word+"\n" {
			return strings.TrimSuffix(s, "\n")
		}
	}
	return ""
}

// reason is what a fiber waits for, in few words.
func (w *world) reason(r fiber.Reason) string {
	s := r.String()
	if r.Kind == fiber.IO {
		_, rest, _ := strings.Cut(s, ")")
		s = "io " + w.token(r.Token) + rest
	}
	if r.Kind == fiber.Timer {
		s = fmt.Sprintf("timer %v", r.Deadline)
	}
	if r.External {
		s += ", external"
	}
	return s
}
