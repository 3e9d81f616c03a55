package fiber

// Source is an object a fiber can wait on. Arm takes the Sources of a wait; any end
// of that wait (wake, deadline, cancel, kill) withdraws its ticket from all of them
// before the next operation (I10). Every object of package wait is one.
//
// A Source belongs to the goroutine that owns the scheduler and never calls it: what
// it decides it appends to dst, and the scheduler delivers that next.
type Source interface {
	// Anchored gives the place for the scheduler's note about this source. Embed an
	// Anchor and its method is promoted.
	Anchored() *Anchor
	// Withdraw removes every registration of the ticket that still waits, and
	// appends to dst the wakeups of fibers that can continue because of that (readers
	// behind a writer that gave up). It ignores a ticket that it does not hold.
	Withdraw(t Ticket, dst []Wakeup) []Wakeup
	// Holds tells whether a registration of the ticket is live here. Reports ask it, and the
	// checked build does at each end of a slice.
	Holds(t Ticket) bool
}

// Assigner is a Source that assigns a value or a lock to a waiter at match time
// (I11). If the fiber dies before it collects, or its wait ends otherwise before the wake-up is
// applied (also by another source, which has chosen the same fiber), the scheduler calls Forfeit: the
// source counts the value and hands it to its hook, or passes the lock on (I12), and reports that the
// ticket had something. It ignores a ticket to which it has assigned nothing, and returns false.
type Assigner interface {
	Source
	Forfeit(t Ticket, dst []Wakeup) (wakes []Wakeup, had bool)
}

// Described is a Source that can tell a deadlock report what it is and which fibers
// could end a wait on it. Holders appends to dst the fibers known to be able to (the
// owner of a lock, the fiber a join waits for), and it must name all of them; none means
// that they are not known and any peer could.
type Described interface {
	Source
	Describe() string
	Holders(dst []ID) []ID
}

// Barrier is a Described source where those who wait stand in each other's way. HoldsBack
// tells whether one of them, by giving up, could let another go on (a reader behind a
// writer that waits): then not only the holders can end a wait.
type Barrier interface {
	Described
	HoldsBack() bool
}

// Alarm is a Source that ends waits when an instant comes: a timer. The scheduler holds
// its deadline (SetAlarm) and calls Due when that has passed; the alarm decides which fibers
// to wake. An alarm without waiting fibers keeps no run alive.
type Alarm interface {
	Source
	// Deadline is when it wants to be told; Never: not at all.
	Deadline() Time
	// Due tells it that its deadline is not after now, and appends to dst whom that
	// wakes. If it gives another deadline then, it is set to that.
	Due(now Time, dst []Wakeup) []Wakeup
	// Waiting counts those who wait for it now.
	Waiting() int
}

// OwnerHook is told when the owner of something dies while it owns it: a mutex then
// follows its owner-death policy and appends to dst the fibers that can continue.
type OwnerHook interface {
	OwnerDied(owner ID, dst []Wakeup) []Wakeup
}

// Anchor is embedded in every Source. It ties the source to the first scheduler that
// arms a wait on it, and lets a blocked fiber remember its source in four bytes.
type Anchor struct {
	slot  uint32
	owner uint32 // number plus 1, and above it the stamp; 0 while unbound
}

// numberMask is the part of Anchor.owner that holds the scheduler's number plus 1.
const numberMask = 1<<17 - 1

// Anchored makes the embedding type implement the first method of Source.
func (a *Anchor) Anchored() *Anchor { return a }

// Bind ties the source to a scheduler, if it is unbound, and reports whether it belongs to
// that scheduler. A source is never shared between schedulers: ports are for that.
//
// A scheduler gives its stamp, from 1 to 32767, so that two schedulers with the same number
// cannot share a source either. A waiting object, which knows only the number
// (Ticket.Scheduler), gives stamp 0: any stamp.
func (a *Anchor) Bind(scheduler, stamp uint16) bool {
	m := uint32(stamp)<<17 | uint32(scheduler) + 1
	return a.owner == m || stamp == 0 && a.owner&numberMask == m || a.bindSlow(m)
}

// bindSlow handles an anchor that is unbound, has no stamp yet, or is another scheduler's.
func (a *Anchor) bindSlow(m uint32) bool {
	if a.owner != 0 && (a.owner != m&numberMask || m <= numberMask) {
		return false
	}
	a.owner = m
	return true
}

// Slot is the scheduler's index for this source; 0 while no fiber waits on it.
func (a *Anchor) Slot() uint32 { return a.slot }

// SetSlot sets it. Only the scheduler that the source is bound to calls it.
func (a *Anchor) SetSlot(n uint32) { a.slot = n }
