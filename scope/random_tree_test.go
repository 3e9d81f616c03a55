package scope

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

const crowd = 40 // no more fibers than that at once

// play follows the script, then ends all fibers: first asked to, then killed.
func (w *world) play() {
	for w.steps < w.length && w.wrong == nil {
		if len(w.alive) == 0 {
			w.spawn(nil, false)
		}
		w.disturb()
		w.turn()
	}
	w.over = true
	for _, a := range append([]*actor(nil), w.alive...) {
		_ = w.Cancel(a.id, errWhy)
	}
	w.windDown()
	w.Steps().KillAll(nil)
	w.windDown()
	if w.Inspect().Live() != 0 || len(w.alive) != 0 {
		w.complain("%d fibers are left, %d on the list", w.Inspect().Live(), len(w.alive))
	}
	for _, b := range w.books {
		if b.seenEnd != 1 || !b.closed && !b.orphaned {
			w.complain("%s was seen to end %d times, closed %v, orphaned %v", b.Source().(fiber.Described).Describe(), b.seenEnd, b.closed, b.orphaned)
		}
	}
	if c := w.Inspect().Counts(); c.Spawned != c.Ended {
		w.complain("%+v", c)
	}
}

func (w *world) windDown() {
	for w.wrong == nil && (w.Poll() || w.HasWork()) {
		w.turn()
	}
	w.check()
}

// turn is one slice, or a poll, or the passing of time.
func (w *world) turn() {
	w.steps++
	switch f := w.ScheduleNext(); {
	case f != nil:
		f.Data.act(w)
		if w.Current() != 0 {
			w.complain("%v did not leave", w.Current())
		}
	case w.Poll():
	case !w.over:
		w.clock.Advance(w.clock.Now() + fiber.Time(1+w.draw(8)))
	}
	w.check()
}

// disturb does to a fiber what may happen to it at any moment.
func (w *world) disturb() {
	if w.draw(10) > 0 || len(w.alive) == 0 {
		return
	}
	w.steps++
	a := w.alive[w.draw(len(w.alive))]
	switch w.draw(5) {
	case 0:
		_ = w.Kill(a.id, nil)
	case 1, 2:
		_ = w.Cancel(a.id, errors.New("outside"))
	case 3:
		if a.in != nil {
			w.cancel(a.in, errors.New("outside"))
		}
	default:
		w.clock.Advance(w.clock.Now() + 3)
		w.Poll()
	}
	w.check()
}

// act is one slice of the fiber.
func (a *actor) act(w *world) {
	if w.Unwind().KillPending(a.id) {
		w.KillCurrent()
		return
	}
	if a.waiting || a.asleep {
		a.resume(w)
	}
	switch {
	case w.over:
		a.leave(w)
	case len(a.opened) > 0 && w.draw(8) > 0:
		a.wait(w)
	default:
		a.choose(w)
	}
}

func (a *actor) resume(w *world) {
	t, res := w.Claim()
	if a.asleep {
		a.asleep = false
		return
	}
	a.waiting = false
	b := a.opened[len(a.opened)-1]
	if cause := map[fiber.Code]error{fiber.TimedOut: ErrDeadline, fiber.Cancelled: w.Unwind().Cause(a.id)}[res.Code]; cause != nil && !b.decided {
		b.stopped, b.decided, b.verdict = true, true, cause
	}
	b.Collect(t, res)
}

// leave ends the fiber when it has waited for its scopes.
func (a *actor) leave(w *world) {
	for len(a.opened) > 0 {
		b := a.opened[len(a.opened)-1]
		if !b.Try() {
			a.await(w, b)
			return
		}
		w.close(a, b)
	}
	a.end(w, obey)
}

func (a *actor) choose(w *world) {
	switch w.draw(16) {
	case 0:
		a.mask(w)
		w.YieldCurrent()
	case 1, 2:
		a.sleep(w, fiber.Until(w.Now()+fiber.Time(w.draw(8))))
	case 3:
		a.sleep(w, fiber.OnQueue().WithDeadline(w.Now()+30))
	case 4, 5, 6:
		a.open(w)
	case 7, 8:
		if a.in != nil && len(w.alive) < crowd {
			w.spawn(a.in, false)
		}
		w.YieldCurrent()
	case 9:
		switch {
		case a.in == nil:
		case w.draw(2) == 0:
			w.stop(a.in)
		default:
			w.cancel(a.in, errWhy)
		}
		w.YieldCurrent()
	case 10, 11:
		a.end(w, well) // with its scopes open, if it has some
	case 12:
		a.end(w, failed)
	case 13:
		a.end(w, obey)
	default:
		a.wait(w)
	}
}

// open opens a scope with a body and some workers, and goes on.
func (a *actor) open(w *world) {
	if len(w.alive) < crowd {
		deadline := fiber.Never
		if w.draw(3) == 0 {
			deadline = w.Now() + fiber.Time(w.draw(20))
		}
		b := &book{Scope: Open(&w.Core, Options{Policy: Policy(w.draw(3))}, deadline)}
		w.books = append(w.books, b)
		a.opened = append(a.opened, b)
		w.spawn(b, w.draw(2) == 0)
		for range w.draw(4) {
			w.spawn(b, false)
		}
	}
	w.YieldCurrent()
}

// wait has the fiber wait for the last scope it opened, or close it.
func (a *actor) wait(w *world) {
	if len(a.opened) == 0 {
		w.YieldCurrent()
		return
	}
	b := a.opened[len(a.opened)-1]
	if b.Try() {
		w.close(a, b)
		w.YieldCurrent()
		return
	}
	a.await(w, b)
}

func (a *actor) await(w *world, b *book) {
	a.waiting = true
	t := w.Arm(b.Reason(), b.Scope.Source())
	if err := b.Park(t); err != nil {
		w.complain("park: %v", err)
	}
	a.block(w)
}

func (a *actor) sleep(w *world, r fiber.Reason) {
	a.asleep = true
	w.Arm(r)
	a.block(w)
}

// block blocks, or goes on at once with what interrupted it.
func (a *actor) block(w *world) {
	if w.Block() == scheduler.Interrupted {
		a.act(w)
	}
}

func (a *actor) mask(w *world) {
	if a.masked = !a.masked; a.masked {
		w.Unwind().Mask()
	} else {
		w.Unwind().Unmask()
	}
}

func (a *actor) end(w *world, how intent) {
	a.intent = how
	switch cause := w.Unwind().Cause(a.id); {
	case how == failed:
		w.Exit(nil, errors.New("of its own"))
	case how == obey && cause != nil:
		w.Exit(nil, cause)
	default:
		a.intent = well
		w.Exit(a.id, nil)
	}
}
