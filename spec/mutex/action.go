package mutex

import "fmt"

// Kind is the name of an action. Every action is one indivisible step.
type Kind uint8

const (
	// Spawn brings a dead fiber to life.
	Spawn Kind = iota
	// Lock is TryLock.
	Lock
	// Wait parks a fiber for the lock that another fiber has.
	Wait
	// Unlock gives the lock back.
	Unlock
	// GiveUp ends a wait by a deadline or a cancel.
	GiveUp
	// Claim tells a woken fiber how its wait ended.
	Claim
	// Kill ends a fiber.
	Kill
	// Repair declares what a poisoned lock guards to be usable again.
	Repair
	// Await: the owner gives the lock up and waits for a signal.
	Await
	// Signal wakes the fiber that has waited longest for a signal; it goes on with the lock.
	Signal
	// Broadcast wakes all of them, one after the other.
	Broadcast

	kinds = int(Broadcast) + 1
)

var kindNames = [kinds]string{"Spawn", "Lock", "Wait", "Unlock", "GiveUp", "Claim", "Kill", "Repair",
	"Await", "Signal", "Broadcast"}

// String is the name in mutex.pml.
func (k Kind) String() string { return kindNames[k] }

// Action is one call, possible or not in a given state.
type Action struct {
	Kind Kind
	// Fiber does it or has it done to it; 0 for Repair, Signal and Broadcast.
	Fiber uint8
}

// String is the action as mutex.pml prints it: "Lock f1", "Repair".
func (a Action) String() string {
	if !a.Kind.ofFiber() {
		return a.Kind.String()
	}
	return fmt.Sprintf("%v f%d", a.Kind, a.Fiber)
}

// All lists every action at the bounds of c, whether any state enables it or not.
func (c Config) All() []Action {
	var all []Action
	for f := range uint8(c.Fibers) {
		for k := range Repair {
			all = append(all, Action{k, f})
		}
		if c.Cond {
			all = append(all, Action{Await, f})
		}
	}
	if c.Cond {
		all = append(all, Action{Kind: Signal}, Action{Kind: Broadcast})
	}
	return append(all, Action{Kind: Repair})
}

// ofFiber: the action is that of one fiber.
func (k Kind) ofFiber() bool { return k < Repair || k == Await }

// Answer is what an action tells its caller.
type Answer uint8

const (
	// NoAnswer: the action has nothing to tell.
	NoAnswer Answer = iota
	// AnswerRefused: the action is not enabled; the state is as it was.
	AnswerRefused
	// AnswerLocked (Lock, Claim): the fiber has the lock.
	AnswerLocked
	// AnswerBusy (Lock): it would block. (Signal, Broadcast): a signaled fiber waits for the
	// lock now.
	AnswerBusy
	// AnswerDouble (Lock): the fiber has it already.
	AnswerDouble
	// AnswerPoisoned (Lock, Claim, Kill): the owner has died with it.
	AnswerPoisoned
	// AnswerHanded (Unlock, Kill, Await, Signal, Broadcast): a fiber that waited owns it.
	AnswerHanded
	// AnswerFreed (Unlock, Kill, Await): it is free.
	AnswerFreed
	// AnswerQuit (Claim): it gave up.
	AnswerQuit

	answers = int(AnswerQuit) + 1
)

var answerNames = [answers]string{"-", "Refused", "Locked", "Busy", "Double", "Poisoned", "Handed", "Freed", "Quit"}

// String is the name in mutex.pml, "-" for NoAnswer.
func (a Answer) String() string { return answerNames[a] }
