package script

func cmdHistory(w *world, a *args) {
	n := 10
	if a.more() {
		n = a.number("a count")
	}
	if !a.done() {
		return
	}
	events := w.s.Inspect().Recent()
	w.say("history: %d of %d", min(n, len(events)), len(events))
	for _, e := range events[max(0, len(events)-n):] {
		pool := "f"
		if e.Fiber.IsTrampoline() {
			pool = "t"
		}
		w.say("  %v %s%d: %v → %v", e.Op, pool, e.Fiber.Index(), e.From, e.To)
	}
}
