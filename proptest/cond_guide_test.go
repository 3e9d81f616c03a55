package proptest

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec/mutex"
)

// await has the owner wait for a signal.
func (g *mutexGuide) await(f uint8) (mutex.Answer, error) {
	if err := g.mount(f); err != nil {
		return 0, err
	}
	t := g.Arm(fiber.OnQueue(), g.cond.Source())
	w, err := g.cond.ParkWait(t, g.fibers[f].id)
	if err != nil {
		g.Disarm()
		return 0, err
	}
	g.Attachments().Disown(g.lock.OwnerHook())
	g.onCond[f] = true
	answer := mutex.AnswerFreed
	if !w.IsZero() {
		answer = mutex.AnswerHanded
	}
	if err := g.apply(w); err != nil {
		return 0, err
	}
	return answer, g.block(f, t)
}

// signals calls one of the two, and tells what has become of the first a signaled fiber.
func (g *mutexGuide) signals(call func() fiber.Wakeup) (mutex.Answer, error) {
	asleep := g.cond.Source().(interface{ Waiting() int }).Waiting()
	w := call()
	switch {
	case !w.IsZero():
		return mutex.AnswerHanded, g.apply(w)
	case asleep > 0:
		return mutex.AnswerBusy, nil
	}
	return mutex.NoAnswer, nil
}

// collect is what a fiber does that has been given the lock: at the object it waited on.
func (g *mutexGuide) collect(f uint8) bool {
	if g.onCond[f] {
		return g.cond.Collect(g.fibers[f].ticket)
	}
	return g.lock.Collect(g.fibers[f].ticket)
}

// matchCond: those asleep are in the condition, those signaled in the line for the lock.
func (g *mutexGuide) matchCond(m *mutex.State) error {
	if g.cond.Source().(interface{ Waiting() int }).Waiting() != len(m.Sleepers.All()) {
		return fmt.Errorf("%d wait for a signal, not %d", g.cond.Source().(interface{ Waiting() int }).Waiting(), len(m.Sleepers.All()))
	}
	for f := range g.fibers {
		if t := g.fibers[f].ticket; g.onCond[f] && g.cond.Source().Holds(t) != (m.Fibers[f].Status == mutex.Waits) {
			return fmt.Errorf("the condition holds %v: %v", t, g.cond.Source().Holds(t))
		}
	}
	return nil
}
