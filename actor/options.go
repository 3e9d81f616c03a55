package actor

// Defaults of zero Options.
const (
	DefaultMaxActors  = 1 << 20
	DefaultMaxQueue   = 1 << 21
	DefaultMaxOutputs = 1 << 10
	DefaultFuel       = 1 << 10
	DefaultInbox      = 1 << 16
)

// Options are what a system is made with; the zero Options are usable.
//
// The hooks are called within a turn, after the command that they tell of and before the
// next. What they do through the system is appended to the queue like any other; a
// panic in one is told to Fault and goes no further.
type Options[M any] struct {
	// MaxActors bounds how many actors there are at once, MaxQueue how many commands wait.
	MaxActors, MaxQueue int
	// MaxOutputs is how many outputs may wait to be read: a turn ends there, and nothing
	// goes on until an output is read.
	MaxOutputs int
	// Fuel is how many commands one turn carries out at most: an actor that sends to
	// itself forever does not prevent a dispatch.
	Fuel int
	// Seed is that of System.Random.
	Seed uint64
	// DeadLetter is given each message that will never be handled.
	DeadLetter func(DeadLetter[M])
	// Ended is called for each death, watched or not.
	Ended func(Death)
	// Fault is called for code of the host that panicked outside of any actor: a hook.
	Fault func(error)
}

// DeadLetter is a message that was sent and will not be handled. Who sent one that had come
// into an inbox is not known any more: From is Outside.
type DeadLetter[M any] struct {
	From, To Handle
	Msg      M
	// Why is ErrUnknown, ErrDown, ErrUnread, ErrDropped, ErrBlocked, or ErrInboxFull where
	// what tells of deaths, which no limit holds back, had filled an inbox.
	Why error
}

// Stats counts messages. None is lost: Sent = Delivered + Dead + Rejected + those that
// still wait (System.Pending).
type Stats struct {
	Sent      uint64 // calls of Send, messages that waited in a Room, what tells of deaths
	Delivered uint64 // handled, put out, or put into an inbox and not found unread there
	Dead      uint64 // dead letters
	Rejected  uint64 // refused with an error
}

func (o Options[M]) withDefaults() Options[M] {
	setDefault(&o.MaxActors, DefaultMaxActors)
	setDefault(&o.MaxQueue, DefaultMaxQueue)
	setDefault(&o.MaxOutputs, DefaultMaxOutputs)
	setDefault(&o.Fuel, DefaultFuel)
	return o
}

func setDefault(v *int, d int) {
	if *v <= 0 {
		*v = d
	}
}
