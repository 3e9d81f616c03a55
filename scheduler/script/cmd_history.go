package script

import "github.com/selvage-dev/selvage/scheduler"

func cmdHistory(w *world, a *args) {
	n := 10
	if a.more() {
		n = a.number("a count")
	}
	if !a.done() {
		return
	}
	events := w.history()
	w.say("history: %d of %d", min(n, len(events)), len(events))
	for _, e := range events[max(0, len(events)-n):] {
		pool := "f"
		if e.Fiber.IsTrampoline() {
			pool = "t"
		}
		w.say("  %v %s%d: %v → %v", e.Op, pool, e.Fiber.Index(), e.From, e.To)
	}
}

// history is what a contract error would report now. The scheduler gives it to nobody
// else, so the script makes it refuse something; a refusal changes nothing.
func (w *world) history() (events []scheduler.Event) {
	defer func() {
		switch e := recover().(type) {
		case *scheduler.ContractError:
			events = e.Recent()
		case *scheduler.InvariantError:
			events = e.Recent()
		}
	}()
	w.s.Wake(0)
	return nil
}
