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

// Command is one entry of the queue. All commands have one total order, the order in which they
// were given, and are carried out in it.
type Command[M any] struct {
	Op Op
	// From is the actor that gave the command, or Outside; To is the actor it is for.
	From, To Handle
	// Msg is the message of an OpSend.
	Msg M
	// Cause is the reason of an OpKill or an OpFail. It is nil for an OpKill of an actor that is
	// no longer needed.
	Cause error
}

// opCounted is an OpSend that is counted in actor.queued of its receiver.
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

// entry is a Command as the queue holds it. It has no pointers except those of the message: what
// only other commands have is in a second queue (more), so that messages do not pay for it.
type entry[M any] struct {
	from, to Handle
	msg      M
	op       Op
}

// more is the rest of every command except an OpSend, in the order of those commands.
type more[M any] struct {
	cause error
	// life is the life of the actor that the command is for; nil: the present one.
	life *Context[M]
	// certain: the command reports what has happened already, so a middleware cannot block it.
	certain bool
}

// taken is a command that has been taken out of the queue.
type taken[M any] struct {
	entry[M]
	more[M]
}
