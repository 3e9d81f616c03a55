package spec

// Status is the one scheduling state of a context (docs/design.md#vocabulary).
type Status uint8

const (
	// Dead: the slot holds nobody.
	Dead Status = iota
	// Runnable: a regular fiber in the ready queue; its chain, if any, is carried.
	Runnable
	// Running: the current fiber, or a trampoline of a chain that is mounted or carried.
	Running
	// BlockedQueue: waiting for a peer; or for the callee above it in a parked chain.
	BlockedQueue
	// BlockedIO: a regular fiber waiting for the completion of its token.
	BlockedIO
	// BlockedTimer: waiting for its deadline and nothing else.
	BlockedTimer
)

var statusNames = [...]string{"Dead", "Runnable", "Running", "Blocked(Queue)", "Blocked(IO)", "Blocked(Timer)"}

// String is the name used in docs/design.md#state-machine.
func (s Status) String() string { return statusNames[s] }

// Blocked is true for every reason.
func (s Status) Blocked() bool { return s >= BlockedQueue }

// Latch is how far a context has prepared a wait while it still runs.
type Latch uint8

const (
	// Unarmed: no wait is prepared.
	Unarmed Latch = iota
	// Armed: the ticket is out and has not been used.
	Armed
	// Latched: the wait ended before the context blocked; it collects the result.
	Latched
)

var latchNames = [...]string{"unarmed", "armed", "latched"}

// String is the lower-case name.
func (l Latch) String() string { return latchNames[l] }

// Cancellation is what a regular fiber knows about a cancel.
type Cancellation uint8

const (
	// NotCancelled: nobody asked.
	NotCancelled Cancellation = iota
	// CancelPending: asked, and to be told at the next Block that has no result.
	CancelPending
	// CancelTaken: told; the fiber unwinds with cancellation masked, so that the
	// waits of its defers work. There is no way back.
	CancelTaken
)

var cancellationNames = [...]string{"none", "pending", "taken"}

// String is the lower-case name.
func (c Cancellation) String() string { return cancellationNames[c] }

// Hand tells whether a ticket is in circulation: in the hands of a waker, of a wire,
// of anybody but the scheduler.
type Hand uint8

const (
	// NotHeld: nobody has the ticket.
	NotHeld Hand = iota
	// Held: somebody has it, and it was armed by the fiber that lives in the slot now.
	Held
	// HeldOld: somebody has it, and the fiber that armed it is dead.
	HeldOld
)

var handNames = [...]string{"not held", "held", "held from an earlier life"}

// String is the lower-case name.
func (h Hand) String() string { return handNames[h] }

// TokenState is where an I/O operation is.
type TokenState uint8

const (
	// Free: there is no operation.
	Free TokenState = iota
	// InFlight: submitted; its owner lives.
	InFlight
	// Done: completed before anybody awaited it; kept for its owner.
	Done
	// Orphan: abandoned, by its wait or by the death of its owner; its one completion
	// is still to come and will be counted and dropped.
	Orphan
)

var tokenStateNames = [...]string{"free", "in flight", "done", "orphan"}

// String is the lower-case name.
func (t TokenState) String() string { return tokenStateNames[t] }
