package script

import "github.com/selvage-dev/selvage/fiber"

func cmdFinish(w *world, a *args) {
	o := a.outcome()
	if !a.done() {
		return
	}
	p := w.executing()
	resume := w.s.Finish(o)
	if o.Kind == fiber.Block {
		if p.armed.IsZero() { // then Finish armed, for the reason it was given
			p.wait = w.collectsToken(o.Reason)
		}
		p.armed = fiber.Ticket{}
	}
	if resume {
		w.say("finish: resume %s at once", w.id(w.s.Inspect().Executing()))
		return
	}
	w.say("finish: the slice is over")
}

// outcome reads how a slice ends.
func (a *args) outcome() fiber.Outcome {
	switch s := a.word("an outcome"); s {
	case "frame-changed":
		return fiber.Outcome{Kind: fiber.FrameChanged}
	case "timeslice-expired":
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	case "panic":
		return fiber.Outcome{Kind: fiber.Panic}
	case "done":
		return fiber.Outcome{Kind: fiber.Done}
	case "osr":
		return fiber.Replace(fiber.Point{Tier: 1})
	case "block":
		return fiber.BlockOn(a.by(a.reason()))
	default:
		a.fail("%q is no outcome; want frame-changed, timeslice-expired, block REASON, panic, done or osr", s)
	}
	return fiber.Outcome{}
}

// reason reads what is waited for.
func (a *args) reason() fiber.Reason {
	switch s := a.word("a reason"); s {
	case "queue":
		return fiber.OnQueue()
	case "io":
		return fiber.OnIO(a.token())
	case "timer":
		return fiber.Until(a.instant())
	default:
		a.fail("%q is no reason; want queue, io OPERATION or timer D", s)
	}
	return fiber.Reason{}
}
