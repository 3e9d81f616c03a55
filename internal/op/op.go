package op

// Op is one transition or call.
type Op uint8

// The transitions in the order of docs/design.md#transitions, then the calls that change no
// scheduling state.
const (
	None Op = iota
	Spawn
	Next
	Yield
	Arm
	Disarm
	Block
	Hold // pause or resume; a paused fiber is held, or put back
	Wake
	Deliver
	Expire
	Cancel
	Kill
	Exit
	Reap
	Acquire
	Release
	Claim
	Submit
	Complete
	Mask
	Unmask
	Panic
	Recover
	Poll
	Idle
	Finish
	Own  // own or disown, link or unlink
	Pump // pin, unpin or fail a native call that nests
	Note // SetName, Cell, SetAlarm, ReportUnobserved: changes no fiber's state
	Lend // lend a slice to another goroutine, or recall it
	Move // move a fiber out to another scheduler, or in
	Count
)

// Limit is a power of two above every Op, so that a mask takes an Op out of a word.
const Limit = 32

const _ = uint8(Limit - Count) // they fit

var names = [Limit]string{"nothing", "Spawn", "ScheduleNext", "YieldCurrent", "Arm", "Disarm",
	"Block", "Hold", "Wake", "Deliver", "expire", "Cancel", "Kill", "Exit", "reap",
	"AcquireTrampoline", "ReleaseTrampoline", "Claim", "Submit", "Complete", "Mask", "Unmask",
	"BeginPanic", "Recover", "Poll", "Idle", "Finish", "Own", "Pump", "note", "Lend", "Move"}

// String is the name of the method, or lower case for an internal step.
func (o Op) String() string {
	if o < Count {
		return names[o]
	}
	return "invalid op"
}
