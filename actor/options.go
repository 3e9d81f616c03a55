package actor

// The defaults of zero fields of Options and Spec.
const (
	defaultMaxActors  = 1 << 20
	defaultMaxQueue   = 1 << 21
	defaultMaxOutputs = 1 << 10
	defaultFuel       = 1 << 10
	defaultInbox      = 1 << 16
)

// Options configures a system. A zero field has the default that its comment gives.
//
// The turn calls a hook after the command that the hook reports and before the next one.
// Commands of a hook are appended to the queue. A panic in a hook is reported to Fault and
// has no other effect.
type Options[M any] struct {
	// MaxActors limits the actors that exist at the same time (default 1<<20), MaxQueue the
	// commands in the queue (default 1<<21).
	MaxActors, MaxQueue int
	// MaxOutputs limits the unread outputs (default 1024). A turn ends at the limit, and
	// the next one does nothing until an output is read.
	MaxOutputs int
	// Fuel limits the commands of one turn (default 1024), so that an actor that keeps
	// sending to itself cannot keep the host out.
	Fuel int
	// Seed seeds System.Random.
	Seed uint64
	// DeadLetter receives each message that will not be handled.
	DeadLetter func(DeadLetter[M])
	// Ended receives each death.
	Ended func(Death)
	// Fault receives the panics of host code outside actors: hooks and middleware.
	Fault func(error)
}

// DeadLetter is a message that was sent and will not be handled. If it had reached an
// inbox, its sender is no longer known: From is Outside.
type DeadLetter[M any] struct {
	Command[M] // its Op is OpSend
	// Why is ErrUnknown, ErrDown, ErrUnread, ErrDropped, ErrBlocked or ErrInboxFull. The
	// last one occurs only when death notices, which no limit rejects, have filled an inbox.
	Why error
}

// Stats counts messages. Sent = Delivered + Dead + Rejected + System.Pending: no message
// is lost.
type Stats struct {
	Sent      uint64 // calls of Send, accepted messages of Context.Park, death notices
	Delivered uint64 // handled, output, or placed in an inbox and not found unread there
	Dead      uint64 // dead letters
	Rejected  uint64 // refused with an error
}

func (o Options[M]) withDefaults() Options[M] {
	setDefault(&o.MaxActors, defaultMaxActors)
	setDefault(&o.MaxQueue, defaultMaxQueue)
	setDefault(&o.MaxOutputs, defaultMaxOutputs)
	setDefault(&o.Fuel, defaultFuel)
	return o
}

func setDefault(v *int, d int) {
	if *v <= 0 {
		*v = d
	}
}
