package replay

import (
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// words are the answers as a trace has them.
var words = map[spec.Answer]string{
	spec.NoAnswer:     "",
	spec.AnswerParked: "parked", spec.AnswerRequeued: "requeued", spec.AnswerResumed: "resumed",
	spec.AnswerCancelled: "cancelled", spec.AnswerKilled: "killed",
	spec.AnswerWoken: "woken", spec.AnswerLatched: "latched", spec.AnswerStale: "stale",
	spec.AnswerGone: "gone", spec.AnswerWrongSource: "wrong-source",
	spec.AnswerPinned: "pinned", spec.AnswerDeadlock: "deadlock", spec.AnswerStackInversion: "stack inversion",
	spec.AnswerEarly: "early", spec.AnswerLate: "late",
}

// says holds what the caller was told against what the specification tells.
func says(rec *record, want string) error {
	if rec.Says == want {
		return nil
	}
	return breaks(ruleOfAnswer(rec.Op), "the caller is told %s, not %s", quoted(want), quoted(rec.Says))
}

func quoted(answer string) string {
	if answer == "" {
		return "nothing"
	}
	return fmt.Sprintf("%q", answer)
}

func ruleOfAnswer(op string) fiber.Rule {
	switch op {
	case "deliver":
		return i3
	case "complete", "arm":
		return i12
	case "block":
		return i9
	}
	return i10
}

// whyNot is why the specification does not allow a step of this kind now.
func (r *run) whyNot(k spec.Kind) error {
	x := r.executing()
	switch k {
	case spec.Spawn:
		return breaks(i1, "a fiber lives in that slot")
	case spec.WakeID:
		return breaks(i3, "only a fiber that is blocked, and not on its own callee, is woken by ID")
	case spec.Cancel, spec.Kill:
		return breaks(i3, "a dead fiber is neither cancelled nor killed")
	case spec.Next:
		if x != nil {
			return breaks(i2, "%v is current", r.current.id)
		}
		if r.bounds.Free {
			return breaks(i1, "that fiber is not in the ready queue")
		}
		return breaks(i1, "the ready queue is empty")
	case spec.Expire:
		if x != nil {
			return breaks(i2, "%v is current, and time passes between slices", r.current.id)
		}
		return breaks(i10, "no deadline is live")
	case spec.IoDone:
		return breaks(i12, "that operation has ended")
	case spec.MoveOut:
		return breaks(i12, "a fiber moves out only if it is ready, was spawned as movable, need not unwind, is in no native call, owns no operation and is not held")
	case spec.MoveIn:
		return breaks(i1, "a fiber lives in that slot")
	case spec.Recall:
		return breaks(i2, "only a lent fiber is recalled, and only when no fiber is current")
	case spec.Hold:
		if x != nil {
			return breaks(i2, "%v is current, and fibers are held between slices", r.current.id)
		}
		return breaks(i1, "only the head of the ready queue is held, and only if it need not unwind")
	case spec.Resume:
		return breaks(i1, "only a held fiber is resumed")
	case spec.Unpin:
		return breaks(i2, "no call under a pump may go on, or a fiber is current")
	case spec.FailPinned:
		return breaks(i9, "something may still go on, or nothing is pumped for")
	}
	if x == nil {
		return breaks(i2, "no fiber is current")
	}
	return r.whyNotExecuting(k, x)
}

func (r *run) whyNotExecuting(k spec.Kind, x *context) error {
	switch armed := x.latch != spec.Unarmed; {
	case armed && k != spec.Disarm && k != spec.Block && k != spec.IoSubmit && k != spec.Unmask:
		return breaks(i13, "%v has wait %s", x.id, x.latch)
	case !armed && (k == spec.Disarm || k == spec.Block):
		return breaks(i13, "%v has no wait armed", x.id)
	case k == spec.ArmIO && x.id.IsTrampoline():
		return breaks(i8, "trampoline %v cannot wait for I/O", x.id)
	case k == spec.ArmIO:
		return breaks(i8, "the operation is not %v's, or has ended", x.id)
	case k == spec.Exit:
		return breaks(i2, "native call %v stands above %v", x.id, r.current.id)
	case k == spec.Release:
		return breaks(i4, "%v is no native call", x.id)
	case k == spec.Acquire && !r.current.doomed:
		return breaks(i4, "a fiber lives in that slot")
	case k == spec.Lend:
		return breaks(i2, "%v nests, and no worker can run its pump", r.current.id)
	case k == spec.YieldPinned, k == spec.Yield:
		return breaks(i2, "under a native call a fiber that nests gives way, and another yields; %v nests: %v", r.current.id, r.current.nests)
	case k == spec.Unmask:
		return breaks(i6, "%v masks nothing", r.current.id)
	}
	return breaks(i10, "%v is doomed, and begins nothing new", r.current.id)
}

// allowed is what the specification allows now, in words.
func (r *run) allowed() []string {
	all := []string{"spawn, move, deliver, complete, cancel and kill, with their answers; wake of a blocked fiber; resume of a held one"}
	if r.current != nil {
		return append(all, r.allowedExecuting())
	}
	if f := r.ready.first(); f != nil {
		what := "schedule"
		if f.doomed && !f.frames && len(f.chain) == 0 {
			what = "reap"
		}
		if !f.doomed {
			what += " or hold"
		}
		which := fmt.Sprintf("%v, the first of %d in the ready queue", f.id, r.ready.len())
		if r.bounds.Free {
			which = fmt.Sprintf("any of the %d in the ready queue", r.ready.len())
		}
		all = append(all, what+" "+which)
	}
	if f := r.pump(); f != nil && f.top().status == spec.Running {
		all = append(all, fmt.Sprintf("unpin %v, whose call %v may go on", f.id, f.top().id))
	}
	if due := r.timers.earliest(); due != nil {
		which := fmt.Sprintf("the earliest of %d, at %v", len(r.timers.heap), due.at)
		if r.bounds.Free {
			which = "or any other at " + due.at.String()
		}
		all = append(all, fmt.Sprintf("deadline of %v, %s", due.fiber(), which))
	}
	return all
}

// allowedExecuting is what the executing context may do: the enabled actions of the
// specification, by kind.
func (r *run) allowedExecuting() string {
	w := r.open()
	var kinds []string
	for _, a := range r.bounds.Enabled(nil, &w.s) {
		switch a.Kind {
		case spec.Spawn, spec.Deliver, spec.WakeID, spec.IoDone, spec.Cancel, spec.Kill, spec.MoveOut, spec.MoveIn, spec.Resume,
			spec.Tie, spec.Untie, spec.Promise, spec.TakeBack: // no line tells of these four
		default:
			if op := opOf(a.Kind); !slices.Contains(kinds, op) {
				kinds = append(kinds, op)
			}
		}
	}
	return fmt.Sprintf("by %v, which executes: %v", r.executing().id, kinds)
}

// opOf is the op that a kind of step is in a trace.
func opOf(k spec.Kind) string {
	switch k {
	case spec.ArmQueue, spec.ArmIO, spec.ArmTimer, spec.ArmOutside:
		return "arm"
	case spec.MoveOut, spec.MoveIn:
		return "move"
	case spec.Pick:
		return "schedule"
	case spec.Recall:
		return "lend"
	case spec.IoSubmit:
		return "submit"
	case spec.YieldPinned:
		return "yield-pinned"
	case spec.FailPinned:
		return "fail-pinned"
	}
	return lower(k.String())
}

func lower(s string) string { return string(s[0]|0x20) + s[1:] }
