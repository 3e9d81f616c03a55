package channel

import "fmt"

// Kind is the name of an action. Every action is one indivisible step.
type Kind uint8

const (
	// Spawn brings a dead fiber to life.
	Spawn Kind = iota
	// Send is TrySend.
	Send
	// Recv is TryRecv.
	Recv
	// Wait parks a fiber with one case or two.
	Wait
	// Close closes a channel.
	Close
	// GiveUp ends a wait by a deadline or a cancel.
	GiveUp
	// Claim tells a woken fiber how its wait ended, and collects.
	Claim
	// Kill ends a fiber.
	Kill

	kinds = int(Kill) + 1
)

var kindNames = [kinds]string{"Spawn", "Send", "Recv", "Wait", "Close", "GiveUp", "Claim", "Kill"}

// String is the name in channel.pml.
func (k Kind) String() string { return kindNames[k] }

// Action is one call, possible or not in a given state.
type Action struct {
	Kind Kind
	// Fiber does it or has it done to it; Channel is that of Send, Recv and Close.
	Fiber, Channel uint8
	// Cases are those of Wait.
	Cases [2]Case
}

// String is the action as channel.pml prints it: "Wait f1 s0 r1", "Close c0".
func (a Action) String() string {
	switch {
	case a.Kind == Close:
		return fmt.Sprintf("Close c%d", a.Channel)
	case a.Kind == Send, a.Kind == Recv:
		return fmt.Sprintf("%v f%d c%d", a.Kind, a.Fiber, a.Channel)
	case a.Kind == Wait && a.Cases[1] == NoCase:
		return fmt.Sprintf("Wait f%d %v", a.Fiber, a.Cases[0])
	case a.Kind == Wait:
		return fmt.Sprintf("Wait f%d %v %v", a.Fiber, a.Cases[0], a.Cases[1])
	}
	return fmt.Sprintf("%v f%d", a.Kind, a.Fiber)
}

// All lists every action at the bounds of c, whether any state enables it or not.
func (c Config) All() []Action {
	var all []Action
	for f := range uint8(c.Fibers) {
		for _, k := range [...]Kind{Spawn, GiveUp, Claim, Kill} {
			all = append(all, Action{Kind: k, Fiber: f})
		}
		for ch := range uint8(c.Channels) {
			all = append(all, Action{Kind: Send, Fiber: f, Channel: ch}, Action{Kind: Recv, Fiber: f, Channel: ch})
		}
		for _, cases := range c.waits() {
			all = append(all, Action{Kind: Wait, Fiber: f, Cases: cases})
		}
	}
	for ch := range uint8(c.Channels) {
		all = append(all, Action{Kind: Close, Channel: ch})
	}
	return all
}

// waits is what there is to wait for.
func (c Config) waits() [][2]Case {
	var all [][2]Case
	for a := range Case(2 * c.Channels) {
		all = append(all, [2]Case{a, NoCase})
		for b := a; c.Selects && b < Case(2*c.Channels); b++ {
			all = append(all, [2]Case{a, b})
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
	// AnswerHanded (Send): a receiver that waited has the value.
	AnswerHanded
	// AnswerBuffered (Send): the value is buffered.
	AnswerBuffered
	// AnswerFull (Send): it would block.
	AnswerFull
	// AnswerReceived (Recv, Claim): a value.
	AnswerReceived
	// AnswerEmpty (Recv): it would block.
	AnswerEmpty
	// AnswerClosed (Send, Recv, Claim): the channel is closed, and nothing was done.
	AnswerClosed
	// AnswerSent (Claim): the value was accepted.
	AnswerSent
	// AnswerQuit (Claim): no case was done.
	AnswerQuit
	// AnswerLost (Kill): a value was assigned to the dead and not collected.
	AnswerLost

	answers = int(AnswerLost) + 1
)

var answerNames = [answers]string{"-", "Refused", "Handed", "Buffered", "Full", "Received", "Empty", "Closed",
	"Sent", "Quit", "Lost"}

// String is the name in channel.pml, "-" for NoAnswer.
func (a Answer) String() string { return answerNames[a] }
