package proptest

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// variant is another call, or several, that do the same action of the model: the cheap forms
// of package scheduler, and the calls that only some hosts use.
type variant struct {
	name string
	// fits is true where it can be taken; nil is everywhere that the action is enabled.
	fits func(r *Harness, s *spec.State, a spec.Action) bool
	do   call
}

// variants is the table. The call of theCalls is one more variant of its kind.
func variants() [kinds][]variant {
	return [kinds][]variant{
		spec.Spawn:    {{"Start, and a Poll", startable, start}},
		spec.Yield:    {{"Finish, out of time", mayGoOn, finishing(fiber.TimesliceExpired)}},
		spec.Exit:     {{"Finish, done", nil, finishing(fiber.Done)}, {"SetResult, KillCurrent", notFailed, setResult}},
		spec.ArmQueue: {{"ArmOn", byObjectAlone, armOn}},
		spec.Block:    {{"Finish, blocking in what is armed", mayGoOn, finishBlocking}},
		spec.WakeID:   {{"Apply, by its source, without a word", oneSource, wakeBySource}},
		spec.Deliver: {
			{"Apply", nil, apply}, {"Apply, by its source", deliverOneSource, applyBySource}, {"Inbox.Deliver, and a Poll", wakesInQuiet, postDeliver},
		},
		spec.IoDone: {{"Inbox.Complete, and a Poll", completesInQuiet, postComplete}},
		spec.Cancel: {{"Inbox.Cancel, and a Poll", inSilence, postCancel}},
		spec.Kill:   {{"Inbox.Kill, and a Poll", killable, postKill}, {"KillAll", onlyOne, plain(func(s *real) { s.Steps().KillAll(nil) })}},
	}
}

// pick is the variant of this step: they take turns, and those that do not fit are skipped.
func (r *Harness) pick(s *spec.State, a spec.Action) call {
	all := r.variants[a.Kind]
	if n := int(r.step) % (len(all) + 1); n < len(all) && (all[n].fits == nil || all[n].fits(r, s, a)) {
		if r.taken != nil {
			r.taken[all[n].name]++
		}
		return all[n].do
	}
	return r.calls[a.Kind]
}

// inSilence: no fiber runs and no fiber is ready, so that a Poll does what is posted and no more.
func inSilence(_ *Harness, s *spec.State, _ spec.Action) bool {
	return s.Current == spec.NoSlot && s.ReadyLen == 0
}

// killable: a held fiber goes to the ready queue when it is killed, and the poll ends it there.
func killable(r *Harness, s *spec.State, a spec.Action) bool {
	return inSilence(r, s, a) && !(int(a.A) < len(s.Fibers) && s.Fibers[a.A].Held)
}

// startable: a caller on another goroutine keeps a handle, and a fiber with a handle cannot move.
func startable(r *Harness, s *spec.State, a spec.Action) bool {
	return inSilence(r, s, a) && !a.Movable()
}

// mayGoOn: the slice of a killed fiber with nothing to unwind ends in its death, whatever
// its outcome (docs/design.md). A call that nests ends no slice: its host pumps.
func mayGoOn(_ *Harness, s *spec.State, _ spec.Action) bool {
	root := &s.Fibers[s.Current]
	return !(root.Doomed && s.Frameless(s.Current)) && !(root.Nests && s.Exec().IsTrampoline())
}

// notFailed: a Fatal panic is what the fiber ends with, whatever else it says.
func notFailed(_ *Harness, s *spec.State, _ spec.Action) bool { return !s.Fibers[s.Current].Fatal }

func onlyOne(r *Harness, s *spec.State, _ spec.Action) bool {
	alive := 0
	for f := range r.bounds.Fibers {
		if s.Contexts[f].Status != spec.Dead {
			alive++
		}
	}
	return alive == 1
}

// opens: x waits, on a peer, with the ticket that has the number.
func opens(s *spec.State, x spec.Slot, n spec.Number) bool {
	_, io := s.Awaited(x)
	return s.Contexts[x].Seq == n && s.Contexts[x].Hands[n] == spec.Held && !io && !s.Sleeps(x)
}

func wakesInQuiet(r *Harness, s *spec.State, a spec.Action) bool {
	return inSilence(r, s, a) && opens(s, a.Slot(), a.Number())
}

func completesInQuiet(r *Harness, s *spec.State, a spec.Action) bool {
	return inSilence(r, s, a) && s.Tokens[a.Token()].Waiter != spec.NoSlot
}

// start asks for the fiber as another goroutine does.
func start(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	if _, err := r.Scheduler.Start(a.Slot(), options(a)); err != nil {
		return spec.NoAnswer, err
	}
	r.Scheduler.Poll()
	for id := range r.Scheduler.Inspect().Ready() {
		r.names.id[a.Slot()], r.names.movable[a.Slot()] = id.ID(), false
	}
	return spec.NoAnswer, nil
}

func finishing(kind fiber.OutcomeKind) call {
	return func(r *Harness, _ *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
		if r.Scheduler.Finish(fiber.Outcome{Kind: kind}) {
			return spec.NoAnswer, errorf("goes on after outcome %v", kind)
		}
		return spec.NoAnswer, nil
	}
}

// setResult: a fiber that was killed ends with that, whatever it has set.
func setResult(r *Harness, s *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	r.Scheduler.SetResult(r.step, nil)
	v, err := r.Scheduler.KillCurrent()
	if killed := s.Fibers[s.Current].Doomed; killed != errors.Is(err, scheduler.ErrKilled) || !killed && v != r.step {
		return spec.NoAnswer, errorf("ends with %v, %v; it had set %d, was killed: %v", v, err, r.step, killed)
	}
	return spec.NoAnswer, nil
}

func finishBlocking(r *Harness, s *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	return r.finished(s, fiber.Outcome{Kind: fiber.Block})
}

// finished ends the slice in a wait and tells from outside what became of it: Finish
// says only whether the fiber goes on.
func (r *Harness) finished(s *spec.State, o fiber.Outcome) (spec.Answer, error) {
	root, x := r.names.id[s.Current], s.Exec()
	switch goesOn := r.Scheduler.Finish(o); {
	case goesOn && x.IsTrampoline() && s.Contexts[x].Latch == spec.Latched:
		return spec.AnswerResumed, nil
	case goesOn:
		return r.blocked(scheduler.Interrupted)
	case r.Scheduler.Inspect().State(root) == fiber.Blocked:
		return spec.AnswerParked, nil
	}
	return spec.AnswerRequeued, nil
}

func apply(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	return r.delivered(r.Scheduler.Apply(fiber.Wakeup{Ticket: r.names.used(a.Slot(), a.Number()), Result: r.result()}))
}

func postDeliver(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	t := r.names.ticket[a.Slot()][a.Number()]
	if err := r.Scheduler.Inbox().Deliver(t, r.result()); err != nil {
		return spec.NoAnswer, err
	}
	r.Scheduler.Poll()
	return r.wokeUp(a.Slot())
}

// wokeUp: the poster is not told what came of it, but it shows.
func (r *Harness) wokeUp(x spec.Slot) (spec.Answer, error) {
	if s := r.Scheduler.Inspect().State(r.names.id[x]); s == fiber.Blocked || s == fiber.Dead {
		return spec.NoAnswer, errorf("%v is %v after a wake that was posted", x, s)
	}
	return spec.AnswerWoken, nil
}

func postComplete(r *Harness, s *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	tok, owner := r.names.token[a.Token()], s.Tokens[a.Token()].Owner
	if err := r.Scheduler.Inbox().Complete(tok, r.completion()); err != nil {
		return spec.NoAnswer, err
	}
	r.Scheduler.Poll()
	if err := r.collect(owner, tok, r.completion()); err != nil {
		return spec.NoAnswer, err
	}
	return r.wokeUp(owner)
}

func postCancel(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	r.names.grace = r.clock.Now().After(gracePeriod)
	err := r.Scheduler.Inbox().Cancel(r.names.id[a.Slot()], cause(r.step))
	r.Scheduler.Poll()
	return spec.NoAnswer, err
}

func postKill(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	err := r.Scheduler.Inbox().Kill(r.names.id[a.Slot()], nil)
	r.Scheduler.Poll()
	return spec.NoAnswer, err
}
