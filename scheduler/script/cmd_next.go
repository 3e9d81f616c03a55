package script

import "github.com/selvage-dev/selvage/scheduler"

func cmdNext(w *world, a *args) {
	if !a.done() {
		return
	}
	switch f := w.next(); {
	case f == nil:
		w.say("next: nobody is ready")
	case w.executing() != f.Data:
		w.say("next: %s, executing %s", f.Data.name, w.id(w.s.Inspect().Executing()))
	default:
		w.say("next: %s", f.Data.name)
	}
}

// next mounts the next fiber, if one is ready in this batch or the one after it.
func (w *world) next() *scheduler.Fiber[*party] {
	f := w.s.ScheduleNext()
	if f == nil && w.s.Poll() {
		f = w.s.ScheduleNext()
	}
	return f
}

func cmdSpin(w *world, a *args) {
	n := a.number("how often")
	if n > limit {
		a.fail("%d turns are too many; want at most %d", n, limit)
	}
	if !a.done() {
		return
	}
	var ran []*party
	for range n {
		f := w.next()
		if f == nil {
			break
		}
		ran = append(ran, f.Data)
		w.s.YieldCurrent()
	}
	w.say("spin:%s", names(ran))
}
