package wait_test

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// setTimer sets the timer to fire soon, or, now and then, stops it.
func (w *storm) setTimer(*scheduler.Fiber[sailor]) bool {
	if w.chance(4) {
		w.timer.Stop()
	} else {
		w.timer.Reset(w.s.Now() + fiber.Time(w.rng.IntN(8)))
	}
	w.s.Attachments().SetAlarm(w.timer)
	return false
}

// waitTimer waits for the timer alone, or for it or a value.
func (w *storm) waitTimer(f *scheduler.Fiber[sailor]) bool {
	if w.timer.Fired() {
		return false
	}
	if w.chance(2) {
		return w.block("timer", f, w.timer.ParkWait, func(_ fiber.Ticket, res fiber.Result) {
			if res.Code == fiber.OK && w.timer.Waiting() > 0 && w.timer.Fired() {
				w.t.Fatalf("%s", w.timer.Describe())
			}
		}, w.timer)
	}
	in := wait.RecvFrom(w.aChan())
	return w.sel("select with a timer", f, wait.NewSelect(w.timer, in), func(i int, ok bool) {
		if got, open := in.Value(); ok && i == 1 && open {
			w.came[got]++
		}
	})
}
