package proptest

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// words is the command for an action, and the line that must come of it.
func (s *scriptWriter) words(from *spec.State, a spec.Action, answer spec.Answer) (command, says string, err error) {
	switch a.Kind {
	case spec.Spawn:
		if a.Movable() || a.Front() {
			break
		}
		return s.spawn(a)
	case spec.Next:
		return "next", "next: " + s.mounted(), nil
	case spec.Yield:
		return both("yield", s.name(from.Current))
	case spec.Exit:
		return "exit", "exit: " + s.name(from.Current) + " ends with " + s.ending(from), nil
	case spec.ArmQueue, spec.ArmIO, spec.ArmTimer:
		return s.arm(from, a)
	case spec.Disarm:
		return "disarm", "disarm: " + s.disarmed(from), nil
	case spec.Block:
		return "block", fmt.Sprintf("block: %v", blockings[answer]), nil
	case spec.WakeID, spec.Cancel, spec.Kill:
		verb := strings.ToLower(strings.TrimSuffix(a.Kind.String(), "ID"))
		s.cancelled(from, a)
		return verb + " " + s.name(a.Slot()), verb + ": " + s.name(a.Slot()), nil
	case spec.Deliver:
		t := s.ticket[a.Slot()][a.Number()]
		return "deliver " + t, fmt.Sprintf("deliver: %s %v", t, deliveries[answer]), nil
	case spec.Acquire:
		return s.acquire(from, a)
	case spec.Release:
		return "release " + s.name(from.Exec()), "release: " + s.name(from.Exec()), nil
	case spec.IoSubmit, spec.IoDone:
		return s.operation(from, a, answer)
	case spec.Expire:
		return s.expire(from)
	case spec.Mask, spec.Unmask:
		return both(strings.ToLower(a.Kind.String()), s.name(from.Current))
	case spec.Interrupted:
		return "take-interrupt", "take-interrupt: " + s.interruption(from, answer), nil
	case spec.YieldPinned:
		return both("yield-pinned", s.name(from.Exec()))
	case spec.Unpin:
		return "unpin", fmt.Sprintf("unpin: %s runs, executing %s", s.name(s.at.Current), s.name(s.at.Exec())), nil
	}
	return "", "", fmt.Errorf("%w: %v", ErrNoWords, a)
}

func both(verb, who string) (string, string, error) { return verb, verb + ": " + who, nil }

var blockings = map[spec.Answer]scheduler.Blocking{
	spec.AnswerParked: scheduler.Parked, spec.AnswerRequeued: scheduler.Requeued, spec.AnswerResumed: scheduler.Resumed,
	spec.AnswerCancelled: scheduler.Interrupted, spec.AnswerKilled: scheduler.Interrupted, spec.AnswerPinned: scheduler.Pinned,
}

var deliveries = map[spec.Answer]fiber.Delivery{
	spec.AnswerWoken: fiber.Woken, spec.AnswerLatched: fiber.Latched, spec.AnswerStale: fiber.Stale,
	spec.AnswerGone: fiber.Gone, spec.AnswerWrongSource: fiber.WrongSource,
}

var verdicts = map[spec.Answer]ioqueue.Verdict{
	spec.AnswerWoken: ioqueue.Deliver, spec.AnswerLatched: ioqueue.Deliver,
	spec.AnswerEarly: ioqueue.Early, spec.AnswerLate: ioqueue.Late,
}

func (s *scriptWriter) name(x spec.Slot) string { return s.lives[x].name }

// born gives a fiber its name and the ID that the scheduler will.
func (s *scriptWriter) born(x spec.Slot) (id fiber.ID) {
	l := &s.lives[x]
	l.count++
	s.births++
	l.birth = s.births
	l.name = fmt.Sprintf("%v_%d", x, l.count)
	slot, gen := s.pool(x).take()
	l.real = slot
	if x.IsTrampoline() {
		return fiber.NewTrampolineID(slot, gen).ID()
	}
	return fiber.NewRegularID(slot, gen).ID()
}

func (s *scriptWriter) spawn(a spec.Action) (command, says string, err error) {
	id := s.born(a.Slot())
	s.cause[a.A], s.owed[a.A] = "", ""
	how := ""
	if a.Frames() {
		how = " frames"
	}
	if s.at.Fibers[a.A].Nests {
		how += " nests"
	}
	return "spawn " + s.name(a.Slot()) + how, fmt.Sprintf("spawn: %s is %v", s.name(a.Slot()), id), nil
}

func (s *scriptWriter) acquire(from *spec.State, a spec.Action) (command, says string, err error) {
	below := s.name(from.Exec())
	id := s.born(a.Slot())
	return "acquire " + s.name(a.Slot()), fmt.Sprintf("acquire: %s is %v, above %s", s.name(a.Slot()), id, below), nil
}

func (s *scriptWriter) mounted() string {
	switch {
	case s.at.Current == spec.NoSlot:
		return "no fiber is ready"
	case s.at.Exec() != s.at.Current:
		return s.name(s.at.Current) + ", executing " + s.name(s.at.Exec())
	}
	return s.name(s.at.Current)
}

// ending is what the current fiber exits with: why it was killed, or nothing.
func (s *scriptWriter) ending(from *spec.State) string {
	if from.Fibers[from.Current].Doomed {
		return fmt.Sprintf("error %q", s.cause[from.Current])
	}
	return "nothing"
}

func (s *scriptWriter) arm(from *spec.State, a spec.Action) (command, says string, err error) {
	x := from.Exec()
	s.arms++
	t := fmt.Sprintf("%s#%d", s.name(x), s.arms)
	s.ticket[x][newNumber(x, from, &s.at)] = t
	due, by := fiber.Never, ""
	if d, has := a.Deadline(); has {
		s.due[d] = s.now + distance[d]
		due, by = s.due[d], fmt.Sprintf(" by %v", distance[d])
	}
	k, _ := from.TokenOf(from.Current)
	if a.Kind == spec.ArmIO && from.Tokens[k].State == spec.Done {
		s.owed[from.Current] = s.op[k]
	}
	command = "arm queue" + by
	switch a.Kind {
	case spec.ArmIO:
		command = "arm io " + s.op[k] + by
	case spec.ArmTimer:
		command = "arm timer" + strings.TrimPrefix(by, " by")
	}
	return command, "arm: " + t + ", " + s.reason(a.Kind == spec.ArmIO, k, a.Kind == spec.ArmTimer, due), nil
}

func (s *scriptWriter) disarmed(from *spec.State) string {
	x := from.Exec()
	t := fmt.Sprintf("%s#%d", s.name(x), s.arms) // no wait was armed since
	op := s.owed[from.Current]
	s.owed[from.Current] = ""
	switch {
	case from.Contexts[x].Latch != spec.Latched:
		return t + ", nothing had come"
	case op != "":
		return t + " had come: ok: " + op + " came with nothing"
	}
	return t + " had come: ok"
}

// cancelled notes why a fiber is to unwind: the first kill counts, and before it the
// first cancel.
func (s *scriptWriter) cancelled(from *spec.State, a spec.Action) {
	f := from.Root(a.Slot())
	switch root := &from.Fibers[f]; {
	case root.Doomed || a.Kind == spec.WakeID:
	case a.Kind == spec.Kill:
		s.cause[f] = scheduler.ErrKilled.Error()
	case root.Cancel == spec.NotCancelled:
		s.cause[f] = scheduler.ErrCancelled.Error()
		s.grace = s.now.After(gracePeriod)
	}
}

func (s *scriptWriter) operation(from *spec.State, a spec.Action, answer spec.Answer) (command, says string, err error) {
	k := a.Token()
	if a.Kind == spec.IoSubmit {
		s.ops++
		s.op[k] = fmt.Sprintf("op%d", s.ops)
		return "submit " + s.op[k], fmt.Sprintf("submit: %s: operation of %s", s.op[k], s.name(from.Current)), nil
	}
	switch answer {
	case spec.AnswerLate:
		s.tails = append(s.tails, "dropped: "+s.op[k]+" came with nothing")
	case spec.AnswerLatched:
		s.owed[from.Tokens[k].Owner] = s.op[k]
	}
	return "complete " + s.op[k], fmt.Sprintf("complete: %s %v", s.op[k], verdicts[answer]), nil
}

// expire lets time pass up to the next deadline, or the end of a grace period.
func (s *scriptWriter) expire(from *spec.State) (command, says string, err error) {
	due := s.grace
	if from.GraceIsNext() {
		if f := from.Grace; !from.Fibers[f].Doomed {
			s.cause[f] = fmt.Sprintf("%v: %v", scheduler.ErrKilled, scheduler.ErrGraceOver)
		}
	} else {
		d, _ := from.Earliest()
		due = s.due[d]
	}
	passes := due - s.now
	s.now = due
	ready := "no fiber is ready"
	if s.at.ReadyLen > 0 {
		ready = "a fiber is ready"
	}
	return fmt.Sprintf("tick %v", passes), fmt.Sprintf("tick: %v, %s", s.now, ready), nil
}

func (s *scriptWriter) interruption(from *spec.State, answer spec.Answer) string {
	switch answer {
	case spec.AnswerCancelled:
		return fmt.Sprintf("%v (%s)", fiber.Cancelled, s.cause[from.Current])
	case spec.AnswerKilled:
		return fmt.Sprintf("%v (%s)", fiber.Killed, s.cause[from.Current])
	}
	return "no"
}
