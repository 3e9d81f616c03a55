package channel

import "github.com/selvage-dev/selvage/spec/graph"

// Bug is a deliberate mistake in the machine; channel.pml has the same ones under the
// same numbers.
type Bug uint8

const (
	// NoBug is the machine itself.
	NoBug Bug = iota
	// KeepsSiblings: the losing cases of a select stay registered.
	KeepsSiblings
	// ServesNewestReceiver: the queue of receivers is a stack.
	ServesNewestReceiver
	// PassesReceivers: a send is buffered although a fiber waits to receive.
	PassesReceivers
	// PassesBuffer: a receive takes from a parked sender past the buffer.
	PassesBuffer
	// ForgetsLost: a value stays assigned to a dead fiber.
	ForgetsLost
	// CloseIsSuccess: a sender that waits is told that the closed channel took its value.
	CloseIsSuccess
	// CloseUndoesSends: a sender whose value was accepted before is told otherwise.
	CloseUndoesSends
	// CloseForgetsSenders: senders go on waiting on the closed channel.
	CloseForgetsSenders
	// KeepsQuitters: a fiber that gave up stays registered.
	KeepsQuitters
	// WakesUnassigned: a receiver is woken without its value, which any fiber can take.
	WakesUnassigned
	// Overfills: the buffer takes one value too many.
	Overfills
	// DropsAccepted: a parked sender is told that its value was accepted, and it is not.
	DropsAccepted
	// RegistersBackwards: a select stands in the queue with its last case first.
	RegistersBackwards
	// ServesNewestSender: the queue of senders is a stack.
	ServesNewestSender
	// KeepsReceived: a received value stays in the buffer.
	KeepsReceived

	lastBug = KeepsReceived
)

var bugNames = [...]string{"no bug", "keeps siblings", "serves newest receiver", "passes receivers",
	"passes buffer", "forgets lost", "close is success", "close undoes sends", "close forgets senders",
	"keeps quitters", "wakes unassigned", "overfills", "drops accepted", "registers backwards",
	"serves newest sender", "keeps received"}

// String is the name in words.
func (b Bug) String() string { return bugNames[b] }

// Bugs lists every mistake, without NoBug.
func Bugs() []Bug { return graph.Mistakes(lastBug) }
