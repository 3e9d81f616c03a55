package spec

import (
	"fmt"
	"iter"
	"slices"

	"github.com/selvage-dev/selvage/spec/graph"
)

// Kind is the name of an action. Every action is one indivisible step of the owner.
type Kind uint8

const (
	// Spawn makes dead regular slot A Runnable, with frames if B is 1, nesting if B is 2,
	// movable if B is 3; at the front of the ready queue if 4 is added to that.
	Spawn Kind = iota
	// Next is ScheduleNext: it reaps and mounts.
	Next
	// Yield is YieldCurrent.
	Yield
	// ArmQueue prepares a wait for a peer, with the deadline A if that is not 0.
	ArmQueue
	// ArmIO prepares a wait for the token the executing regular fiber holds, with the
	// deadline A if that is not 0.
	ArmIO
	// Disarm takes the prepared wait back, or collects its result.
	Disarm
	// Block commits the prepared wait.
	Block
	// WakeID is Wake by ID: slot A, by owner code that knows that it is blocked.
	WakeID
	// Deliver uses ticket B of slot A.
	Deliver
	// IoSubmit starts operation A for the current fiber.
	IoSubmit
	// IoDone is the completion of operation A.
	IoDone
	// Cancel cancels the chain that slot A is a member of.
	Cancel
	// Kill kills the chain that slot A is a member of.
	Kill
	// Exit ends the current fiber.
	Exit
	// Acquire puts trampoline A on top of the current chain.
	Acquire
	// Release takes the executing trampoline away again.
	Release
	// ArmTimer prepares a wait for the deadline A and nothing else.
	ArmTimer
	// Expire is the earliest deadline of all: it has come.
	Expire
	// Mask puts cancellation of the current chain off.
	Mask
	// Unmask undoes one Mask.
	Unmask
	// Interrupted asks whether the current chain is to unwind now.
	Interrupted
	// YieldPinned pins the current chain, whose call goes on, so that others have a turn.
	YieldPinned
	// Unpin takes up the innermost pinned chain, whose call may go on.
	Unpin
	// FailPinned ends the wait of the innermost pinned call, which nothing else can.
	FailPinned
	// MoveOut takes regular slot A out of the scheduler, to go on in another.
	MoveOut
	// MoveIn brings a fiber from another scheduler into dead regular slot A. It has masked
	// its cancellation B times.
	MoveIn
	// Tie ties the current fiber to this scheduler: it owns a lock, or is in a scope.
	Tie
	// Untie undoes Tie.
	Untie
	// ArmOutside prepares a wait that code outside of the scheduler ends.
	ArmOutside
	// Promise says that something will come from outside, for no wait in particular.
	Promise
	// TakeBack takes the promise back.
	TakeBack
	// Lend gives the current fiber to a worker for one slice.
	Lend
	// Recall takes fiber A back.
	Recall
	// EndRun is the end of a run in which every fiber has ended; the answer is its result.
	EndRun
	// Hold takes fiber A, the head of the ready queue, aside, because the host has paused it.
	Hold
	// Resume puts held fiber A at the back of the ready queue.
	Resume
	// Pick mounts fiber A of the ready queue, wherever it is.
	Pick

	kinds = int(Pick) + 1
)

var kindNames = [kinds]string{"Spawn", "Next", "Yield", "ArmQueue", "ArmIO", "Disarm", "Block", "WakeID",
	"Deliver", "IoSubmit", "IoDone", "Cancel", "Kill", "Exit", "Acquire", "Release", "ArmTimer", "Expire",
	"Mask", "Unmask", "Interrupted", "YieldPinned", "Unpin", "FailPinned",
	"MoveOut", "MoveIn", "Tie", "Untie", "ArmOutside", "Promise", "TakeBack", "Lend", "Recall", "EndRun", "Hold", "Resume", "Pick"}

// String is the name in scheduler.pml.
func (k Kind) String() string { return kindNames[k] }

// Kinds lists them all.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Action is one call of the machine, possible or not in a given state.
type Action struct {
	Kind Kind
	// A is a Slot (Spawn, WakeID, Deliver, Cancel, Kill, Acquire, MoveOut, MoveIn, Recall, Hold, Resume,
	// Pick), the number of a token (IoSubmit, IoDone), or 1 + that of a deadline (ArmQueue, ArmIO,
	// ArmTimer; 0: none); B says how (Spawn), how often (MoveIn), or is a Number (Deliver).
	// 0 if unused.
	A, B uint8
}

// Slot is A as the slot it names.
func (a Action) Slot() Slot { return Slot(a.A) }

// Token is A as the number of a token.
func (a Action) Token() int { return int(a.A) }

// Number is B as the number of a ticket.
func (a Action) Number() Number { return Number(a.B) }

// Frames: Spawn makes a fiber with frames.
func (a Action) Frames() bool { return a.how() == framed }

// Nests: Spawn makes a fiber that nests.
func (a Action) Nests() bool { return a.how() == nesting }

// Movable: Spawn makes a fiber that may move to another scheduler.
func (a Action) Movable() bool { return a.how() == movable }

// Front: Spawn puts the fiber at the front of the ready queue.
func (a Action) Front() bool { return a.Kind == Spawn && a.B >= inFront }

func (a Action) how() uint8 { return a.B % inFront }

// B of a Spawn.
const (
	plain = iota
	framed
	nesting
	movable
	inFront // added to one of those
)

// Deadline is A as the number of the deadline that an Arm gives its wait, and false if
// it gives none.
func (a Action) Deadline() (d int, ok bool) {
	arms := a.Kind == ArmQueue || a.Kind == ArmIO || a.Kind == ArmTimer
	return int(a.A) - 1, arms && a.A > 0
}

// String is the action as scheduler.pml prints it: "Deliver f1 0", "IoDone 0", "Next".
func (a Action) String() string {
	switch a.Kind {
	case Spawn, Deliver, MoveIn:
		return fmt.Sprintf("%v %v %d", a.Kind, a.Slot(), a.B)
	case WakeID, Cancel, Kill, Acquire, MoveOut, Recall, Hold, Resume, Pick:
		return fmt.Sprintf("%v %v", a.Kind, a.Slot())
	case IoSubmit, IoDone:
		return fmt.Sprintf("%v %d", a.Kind, a.A)
	}
	if d, has := a.Deadline(); has {
		return fmt.Sprintf("%v by %d", a.Kind, d)
	}
	return a.Kind.String()
}

// All lists every action at the bounds of c, whether any state enables it or not: a
// replayer tries the disabled ones too and must see them refused without a change.
func (c Config) All() []Action { return slices.Collect(c.actions()) }

// actions is All without the slice.
func (c Config) actions() iter.Seq[Action] {
	return func(yield func(Action) bool) {
		for k := range Kind(kinds) {
			for a := range c.first(k) {
				for _, b := range c.seconds(k) {
					if !yield(Action{k, a, b}) {
						return
					}
				}
			}
		}
	}
}

// first is the values that A of an action of kind k can have.
func (c Config) first(k Kind) iter.Seq[uint8] {
	return func(yield func(uint8) bool) {
		switch k {
		case Spawn:
			upTo(0, c.Fibers, yield)
		case WakeID, Deliver, Cancel, Kill:
			_ = upTo(0, c.Fibers, yield) && upTo(MaxFibers, c.Trampolines, yield)
		case Acquire:
			upTo(MaxFibers, c.Trampolines, yield)
		case IoSubmit, IoDone:
			upTo(0, c.Tokens, yield)
		case ArmQueue, ArmIO:
			upTo(0, 1+c.Deadlines, yield)
		case ArmTimer:
			upTo(1, c.Deadlines, yield)
		case Expire:
			upTo(0, min(c.Deadlines, 1), yield)
		case Mask, Unmask, Interrupted:
			upTo(0, min(c.Masks, 1), yield)
		case YieldPinned, Unpin, FailPinned:
			upTo(0, min(c.Pins, 1), yield)
		case MoveOut, MoveIn:
			upTo(0, c.Fibers*graph.Count(c.Moves), yield)
		case Tie, Untie:
			upTo(0, graph.Count(c.Moves), yield)
		case ArmOutside, Promise, TakeBack:
			upTo(0, graph.Count(c.Outside), yield)
		case Lend:
			upTo(0, graph.Count(c.Lends), yield)
		case Recall:
			upTo(0, c.Fibers*graph.Count(c.Lends), yield)
		case EndRun:
			upTo(0, graph.Count(c.Runs), yield)
		case Hold, Resume:
			upTo(0, c.Fibers*graph.Count(c.Holds), yield)
		case Pick:
			upTo(0, c.Fibers*graph.Count(c.Free), yield)
		default:
			yield(0)
		}
	}
}

// upTo yields n numbers from base.
func upTo(base, n int, yield func(uint8) bool) bool {
	for i := range n {
		if !yield(uint8(base + i)) {
			return false
		}
	}
	return true
}

// numbers are the first of them.
var numbers = [...]uint8{0, 1, 2, 3, 4}

// seconds is the values that B of an action of kind k can have.
func (c Config) seconds(k Kind) []uint8 {
	switch {
	case k == Spawn:
		return c.hows()
	case k == Deliver:
		return numbers[:c.Tickets]
	case k == MoveIn:
		return numbers[:1+c.Masks]
	}
	return numbers[:1]
}

// hows is how fibers are spawned: at the back of the ready queue, and the last sort of them
// at its front too.
func (c Config) hows() []uint8 {
	all := c.sorts()
	if c.Fronts {
		all = append(slices.Clip(all), inFront+all[len(all)-1])
	}
	return all
}

// sorts is what fibers are spawned as.
func (c Config) sorts() []uint8 {
	switch {
	case c.AllNest:
		return numbers[nesting : nesting+1]
	case c.Moves && c.Pins > 0:
		return numbers[framed:inFront]
	case c.Moves:
		return []uint8{framed, movable}
	case c.Pins > 0:
		return numbers[:nesting+1]
	}
	return numbers[:nesting]
}
