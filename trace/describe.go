package trace

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// plain are the lines that have nothing but a fiber.
var plain = [...]string{
	op.Next: "schedule", op.Yield: "yield", op.Disarm: "disarm",
	op.Wake: "wake", op.Exit: "exit", op.Reap: "reap",
	op.Acquire: "acquire", op.Release: "release",
	op.Mask: "mask", op.Unmask: "unmask",
	op.Block: "block", op.Kill: "kill",
	op.Lend: "lend", op.Panic: "panic",
}

// isNoName: a caller has made up what cannot be the name of any fiber, wait or operation.
// It was refused, and there is nothing to write.
func isNoName(t scheduler.Transition) bool {
	switch t.Op {
	case op.Deliver:
		return t.ID.Generation() == 0 || t.Seq&fiber.MaxSeq == 0
	case op.Cancel, op.Kill:
		return t.ID.Generation() == 0
	case op.Complete:
		return t.Token == 0
	}
	return false
}

// describe is the line of a transition, but for its end.
func describe(l line, t scheduler.Transition) line {
	switch t.Op {
	case op.Spawn:
		l = l.open("op", "spawn").fiber(t.ID)
		return l.flag("frames", t.With.Frames).flag("front", t.With.Front).flag("nests", t.With.Nests).flag("movable", t.With.Movable)
	case op.Arm:
		return describeArm(l.open("op", "arm"), t)
	case op.Deliver:
		return describeDelivery(l.open("op", "deliver"), t)
	case op.Submit:
		if t.Answer == ioqueue.Attached.String() {
			return l.open("op", "attach").number("token", uint64(t.Token))
		}
		return l.open("op", "submit").fiber(t.ID).number("token", uint64(t.Token))
	case op.Complete:
		return l.open("op", "complete").number("token", uint64(t.Token)).text("says", t.Answer)
	case op.Expire:
		return l.open("op", "deadline").fiber(t.ID).flag("grace", t.Grace != 0)
	case op.Cancel:
		return describeCancel(l, t)
	case op.Hold:
		if t.Answer == "resumed" {
			return l.open("op", "resume").fiber(t.ID)
		}
		return l.open("op", "hold").fiber(t.ID)
	case op.Pump:
		return describePump(l, t)
	case op.Move:
		l = l.open("op", "move").fiber(t.ID)
		if t.Masks > 0 {
			l = l.number("masks", uint64(t.Masks))
		}
		return l.text("says", t.Answer)
	}
	return l.open("op", plain[t.Op]).fiber(t.ID).text("says", t.Answer)
}

func describeArm(l line, t scheduler.Transition) line {
	l = l.fiber(t.ID).number("wait", t.Seq&fiber.MaxSeq).text("on", t.Reason.Kind.String())
	if t.Reason.Kind == fiber.IO {
		l = l.number("token", uint64(t.Reason.Token))
	}
	if t.Reason.Deadline != fiber.Never {
		l = l.by(t.Reason.Deadline)
	}
	return l.flag("external", t.Reason.External).text("says", t.Answer)
}

// describeDelivery: a ticket is of the scheduler that armed it, most often this one.
func describeDelivery(l line, t scheduler.Transition) line {
	l = l.fiber(t.ID).number("wait", t.Seq&fiber.MaxSeq)
	if t.Answer == fiber.WrongSource.String() {
		l = l.number("home", uint64(fiber.Ticket{Seq: t.Seq}.Scheduler()))
	}
	return l.text("says", t.Answer)
}

// describeCancel: a cancel, or that the fiber received one.
func describeCancel(l line, t scheduler.Transition) line {
	if t.Answer == fiber.Cancelled.String() {
		return l.open("op", "interrupted").fiber(t.ID).text("says", t.Answer)
	}
	l = l.open("op", "cancel").fiber(t.ID)
	if t.Grace != 0 {
		l = l.by(t.Grace)
	}
	return l.text("says", t.Answer)
}

// describePump: a chain that is pinned although its call runs, or taken up again; or the
// verdict on a pump that nothing can end.
func describePump(l line, t scheduler.Transition) line {
	switch t.Answer {
	case "yields":
		return l.open("op", "yield-pinned").fiber(t.ID)
	case "unpinned":
		return l.open("op", "unpin").fiber(t.ID)
	case "aborted":
		return l.open("op", "abort-pump").fiber(t.ID)
	}
	return l.open("op", "fail-pinned").fiber(t.ID).text("says", t.Answer)
}
