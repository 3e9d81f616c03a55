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
	// OpFail ends an actor as a failure: whoever supervises it decides what follows.
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

// entry is a Command as the queue holds it: what few commands have is beside it.
type entry[M any] struct {
	from, to Handle
	msg      M
	more     *more[M] // nil: nothing of it
	op       Op
	counted  bool // an OpSend that its receiver's inbox counts
}

type more[M any] struct {
	cause error
	// life is the one that the command is about; nil: whichever it is.
	life *Context[M]
}

func (e *entry[M]) cause() error {
	if e.more == nil {
		return nil
	}
	return e.more.cause
}

func (e *entry[M]) life() *Context[M] {
	if e.more == nil {
		return nil
	}
	return e.more.life
}
