package fiber

// Code says how a wait ended.
type Code uint8

const (
	// Pending: it has not.
	Pending Code = iota
	// OK: the peer, the completion or (in a Timer wait) the instant came.
	OK
	// Closed: the object was closed; nothing was received and nothing sent.
	Closed
	// Failed: the object refuses forever, and knows why (a poisoned lock).
	Failed
	// TimedOut: the deadline of a Queue or IO wait passed first.
	TimedOut
	// Cancelled: the fiber was cancelled; the scheduler knows the cause.
	Cancelled
	// Killed: the fiber is doomed and is only here to unwind.
	Killed
)

var codeNames = [...]string{"pending", "ok", "closed", "failed", "timeout", "cancelled", "killed"}

// String is the lower-case name.
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return "invalid code"
}

// Result is what a wait ended with. Values themselves stay with the object that
// assigned them (the channel, the completion cell) until the fiber collects them.
type Result struct {
	Code Code
	// Value is the source's own: the case index of a select, 0 for a single wait.
	Value uint32
}

// Delivery is the verdict on one Deliver; only Woken and Latched change anything.
type Delivery uint8

const (
	// Woken: the fiber was blocked and will run again with the result.
	Woken Delivery = iota + 1
	// Latched: the fiber had armed the ticket but not blocked yet; its Block cannot
	// lose the result.
	Latched
	// Stale: the ticket was spent, or belongs to an older wait of a living fiber.
	Stale
	// Gone: the fiber is dead, or its slot holds a later generation.
	Gone
	// WrongSource: the ticket is of another scheduler, or the current wait cannot be
	// ended by this source.
	WrongSource
)

var deliveryNames = [...]string{"nothing", "woken", "latched", "stale", "gone", "wrong-source"}

// String is the lower-case name.
func (d Delivery) String() string {
	if int(d) < len(deliveryNames) {
		return deliveryNames[d]
	}
	return "invalid delivery"
}

// Accepted tells whether the delivery won the wait.
func (d Delivery) Accepted() bool { return d == Woken || d == Latched }

// Wakeup is what a pure waiting object decides: deliver this result to this ticket.
// The object's caller hands it to the scheduler before the next operation. The zero
// Wakeup wakes no fiber.
type Wakeup struct {
	Ticket Ticket
	Result Result
	// From is the slot in the Anchor of the object that decided this. It promises that no
	// registration of the ticket is left there, so the scheduler need not withdraw one from
	// an object that was the only source of the wait. 0 promises nothing.
	From uint32
}

// IsZero reports whether there is no fiber to wake.
func (w Wakeup) IsZero() bool { return w.Ticket.IsZero() }
