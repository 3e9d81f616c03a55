package move

import "fmt"

// Kind is the name of an action. Every action is one indivisible step of the owner of the
// scheduler that it is about.
type Kind uint8

const (
	// Spawn brings fiber Fiber to life in scheduler At.
	Spawn Kind = iota
	// MoveIn brings fiber Fiber, which has moved out, into scheduler At.
	MoveIn
	// Join has the current fiber of the home of Fiber wait for the end of that.
	Join
	// Wake ends the wait of Fiber by owner code that knows.
	Wake
	// Kill ends Fiber, which is blocked.
	Kill
	// Order is one by the name that Fiber had at home, where it is no more.
	Order
	// MoveOut takes Fiber out of its scheduler.
	MoveOut
	// Abandon gives up Fiber, which has moved out.
	Abandon
	// Next is a turn of scheduler At: it hears what has come, and runs the head of its queue.
	Next
	// Yield is the current fiber of scheduler At: back to the queue.
	Yield
	// Exit is its end.
	Exit
	// Wait blocks it until a holder of its ticket wakes it.
	Wait
	// Idle asks scheduler At for its verdict.
	Idle
	// Deliver uses the ticket of slot At at its own scheduler.
	Deliver
	// Stray uses it at the other one.
	Stray

	kinds = int(Stray) + 1
)

var kindNames = [kinds]string{"Spawn", "MoveIn", "Join", "Wake", "Kill", "Order", "MoveOut", "Abandon",
	"Next", "Yield", "Exit", "Wait", "Idle", "Deliver", "Stray"}

// String is the name in move.pml.
func (k Kind) String() string { return kindNames[k] }

func (k Kind) ofFiber() bool { return k <= Abandon }
func (k Kind) ofSlot() bool  { return k >= Deliver }

// Action is one call, possible or not in a given state.
type Action struct {
	Kind Kind
	// Fiber is whom it is about, and At which scheduler, or which slot; 0 if unused.
	Fiber, At uint8
}

// String is the action as move.pml prints it: "MoveIn f1 0", "Kill f0", "Deliver s2", "Next 1".
func (a Action) String() string {
	switch {
	case a.Kind == Spawn || a.Kind == MoveIn:
		return fmt.Sprintf("%v f%d %d", a.Kind, a.Fiber, a.At)
	case a.Kind.ofFiber():
		return fmt.Sprintf("%v f%d", a.Kind, a.Fiber)
	case a.Kind.ofSlot():
		return fmt.Sprintf("%v s%d", a.Kind, a.At)
	}
	return fmt.Sprintf("%v %d", a.Kind, a.At)
}

// All lists every action at the bounds of c, whether any state enables it or not.
func (c Config) All() []Action {
	var all []Action
	for k := range Kind(kinds) {
		fibers, places := 1, Schedulers
		switch {
		case k == Spawn || k == MoveIn:
			fibers = c.Fibers
		case k.ofFiber():
			fibers, places = c.Fibers, 1
		case k.ofSlot():
			places = Schedulers * c.Slots
		}
		for f := range uint8(fibers) {
			for at := range uint8(places) {
				all = append(all, Action{k, f, at})
			}
		}
	}
	return all
}

// Answer is what an action tells its caller.
type Answer uint8

const (
	// NoAnswer: the action has nothing to tell.
	NoAnswer Answer = iota
	// AnswerRefused: the action is not enabled; the state is as it was.
	AnswerRefused
	// AnswerGone (Deliver): the fiber that armed the ticket lives there no more.
	AnswerGone
	// AnswerStale (Deliver): the wait of the ticket is over.
	AnswerStale
	// AnswerWoken (Deliver): the wait ends.
	AnswerWoken
	// AnswerWrongSource (Stray): the ticket is of another scheduler.
	AnswerWrongSource
	// AnswerMovedOut (Order): the fiber is elsewhere.
	AnswerMovedOut
	// AnswerBusy (Idle): something has come.
	AnswerBusy
	// AnswerDone (Idle): no fiber lives there.
	AnswerDone
	// AnswerWaiting (Idle): a fiber waits for the end of a fiber that is elsewhere.
	AnswerWaiting
	// AnswerDeadlock (Idle): no fiber there can ever go on.
	AnswerDeadlock

	answers = int(AnswerDeadlock) + 1
)

var answerNames = [answers]string{"-", "Refused", "Gone", "Stale", "Woken", "WrongSource", "MovedOut",
	"Busy", "Done", "Waiting", "Deadlock"}

// String is the name in move.pml, "-" for NoAnswer.
func (a Answer) String() string { return answerNames[a] }
