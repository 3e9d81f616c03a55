package fiber

import (
	"fmt"
	"time"
)

// Time is an instant in nanoseconds since the scheduler's epoch, on whatever clock
// was injected: virtual in tests, monotonic in production.
type Time int64

// Never is the deadline of a wait that has none.
const Never Time = 1<<63 - 1

// After is the instant d later; it stops at the last instant before Never instead of
// overflowing, and a negative d counts as none.
func (t Time) After(d time.Duration) Time {
	switch {
	case d <= 0:
		return t
	case t >= Never-Time(d):
		return Never - 1
	}
	return t + Time(d)
}

// String is the instant as a duration since the epoch.
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return time.Duration(t).String()
}

// Token names one asynchronous operation (package ioqueue). Tokens never repeat;
// the zero Token names none.
type Token uint64

// Kind says who may end a wait.
type Kind uint8

const (
	// NoWait: the fiber waits for nothing.
	NoWait Kind = iota
	// Queue: a channel, port, lock, join or completion cell: anything a peer wakes.
	Queue
	// IO: the completion of the operation Token names. Regular fibers only (I8).
	IO
	// Timer: the deadline and nothing else.
	Timer
)

var kindNames = [...]string{"nothing", "queue", "io", "timer"}

// String is the lower-case name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid kind"
}

// Reason is what a fiber waits for. The zero Reason is no wait. Build one with
// OnQueue, OnIO or Until.
type Reason struct {
	Kind Kind
	// External says that a wake may come from outside the scheduler without any
	// timer or token: the wait counts as Waiting in the idle verdict, not as part of
	// a deadlock (docs/design.md#loop).
	External bool
	Token    Token
	// Deadline ends the wait with TimedOut; Never if nothing does.
	Deadline Time
}

// OnQueue waits for a peer.
func OnQueue() Reason { return Reason{Kind: Queue, Deadline: Never} }

// OnIO waits for the completion of an operation.
func OnIO(t Token) Reason { return Reason{Kind: IO, Token: t, Deadline: Never} }

// Until waits for an instant.
func Until(deadline Time) Reason { return Reason{Kind: Timer, Deadline: deadline} }

// By is the same wait, ended with TimedOut at the deadline at the latest.
func (r Reason) WithDeadline(deadline Time) Reason { r.Deadline = deadline; return r }

// FromOutside is the same wait, marked External.
func (r Reason) FromOutside() Reason { r.External = true; return r }

// String is for reports: "queue", "io(7)", "timer(1.5s)", with "by …" for a deadline.
func (r Reason) String() string {
	s := r.Kind.String()
	switch r.Kind {
	case IO:
		s = fmt.Sprintf("io(%d)", uint64(r.Token))
	case Timer:
		return fmt.Sprintf("timer(%v)", r.Deadline)
	}
	if r.Kind != NoWait && r.Deadline != Never {
		s += fmt.Sprintf(" by %v", r.Deadline)
	}
	return s
}
