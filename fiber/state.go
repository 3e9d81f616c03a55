package fiber

// State is the one scheduling state of a fiber. Queue membership, waiter maps and
// counters are derived from it and checked against it (docs/design.md#vocabulary).
type State uint8

const (
	// Dead: the slot holds nobody. It is on the free list or retired; it has no
	// registration and no native stack. Next: Runnable (Spawn), or Running (a
	// trampoline's Acquire).
	Dead State = iota
	// Runnable: a regular fiber standing exactly once in the ready queue, with its
	// carried chain if it has one. The scheduler owns it. Next: Running
	// (ScheduleNext), or Dead (reaped because it is doomed).
	Runnable
	// Running: mounted on an execution slot, or a member of the chain that is. The
	// host owns it until it yields, blocks or exits. Next: Runnable, Blocked, Dead.
	Running
	// Blocked: waiting for its Reason; not in the ready queue, not mounted. The
	// objects it is registered with own the wake. Next: Runnable (regular), Running
	// (trampoline), Dead (killed without native frames).
	Blocked
)

var stateNames = [...]string{"dead", "runnable", "running", "blocked"}

// String is the lower-case name, as the guest API's task:status() gives it.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "invalid state"
}
