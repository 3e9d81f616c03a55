package scheduler

// Blocking is what Block leaves the caller with: where the fiber is now, and so what the caller
// has to do. A caller that ignores it may run a fiber that is not current.
type Blocking uint8

const (
	// Parked: the fiber is Blocked and no fiber is current. End its slice.
	Parked Blocking = iota + 1
	// Requeued: the result was there already; the fiber is Runnable at the back of the
	// queue and no fiber is current. End its slice; Claim the result when it runs again.
	Requeued
	// Resumed: the result was there already and the trampoline continues at once.
	Resumed
	// Interrupted: a pending cancel or kill, or a Fatal panic, came first. The wait is over,
	// nothing was received, and the caller is still Running.
	Interrupted
	// Pinned: the native call is Blocked, its callers stay Running where they are, and no
	// fiber is current. Pump until the call can continue: see Calls.
	Pinned
)

var blockingNames = [...]string{"nothing", "parked", "requeued", "resumed", "interrupted", "pinned"}

// String is the lower-case name.
func (b Blocking) String() string {
	if int(b) < len(blockingNames) {
		return blockingNames[b]
	}
	return "invalid blocking"
}

// LeavesCPU reports whether no fiber is current any more: the slice is over.
func (b Blocking) LeavesCPU() bool { return b == Parked || b == Requeued || b == Pinned }
