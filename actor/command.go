package actor

// Op is what a command does.
type Op uint8

const (
	// OpSpawn makes the actor that the sender has been given the handle of.
	OpSpawn Op = iota + 1
	// OpSend gives an actor a message, or the outside world an output.
	OpSend
	// OpKill ends an actor, its children first.
	OpKill
	// OpFail ends an actor as a failure: its supervisor decides what follows.
	OpFail
)

var opNames = [...]string{"none", "spawn", "send", "kill", "fail"}

// String is the lower-case name.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return "invalid op"
}

// Command is one entry of the queue. All of them stand in one total order, the order in
// which they were given, and are carried out in it.
type Command[M any] struct {
	Op Op
	// From is who gave the command; To is the actor it is about.
	From, To Handle
	// Msg is the message of an OpSend.
	Msg M
	// Cause says why: of an OpKill, nil if the actor is simply needed no more, and of an
	// OpFail.
	Cause error
}

// opCounted is an OpSend that its receiver's inbox counts.
const opCounted Op = 0

// isMessage tells OpSend and opCounted from the others.
func (o Op) isMessage() bool { return o == OpSend || o == opCounted }

// public is the Op as the host knows it.
func (o Op) public() Op {
	if o == opCounted {
		return OpSend
	}
	return o
}

// entry is a Command as the queue holds it. There are no pointers in it but those of the
// message: what messages do not have stands in a queue beside it.
type entry[M any] struct {
	from, to Handle
	msg      M
	op       Op
}

// more is what every command but an OpSend has, in the order of those commands.
type more[M any] struct {
	cause error
	// life is the one that the command is about; nil: whichever it is.
	life *Context[M]
	// certain: it says what has happened already, and cannot be blocked.
	certain bool
}

// taken is a command that has been taken out of the queue.
type taken[M any] struct {
	entry[M]
	more[M]
}
