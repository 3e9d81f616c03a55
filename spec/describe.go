package spec

// Description is a kind of action in words, for documentation.
type Description struct {
	Kind Kind
	// Caller is who may call it, and Effect what it does where it is enabled.
	Caller, Effect string
	// Rules are the invariants that it is most about (docs/invariants.md).
	Rules string
}

const (
	byOwner   = "owner"
	byCurrent = "current fiber"
	byContext = "executing context"
	byTicket  = "holder of the ticket"
	byDevice  = "device"
	byPump    = "innermost pump"
)

// Describe describes every kind, in the order of Kinds.
func Describe() []Description {
	table := [kinds]struct{ caller, effect, rules string }{
		Spawn:       {byOwner, "a dead slot gets its next generation; back of the ready queue, or its front if the caller says so", "I1 I5"},
		Next:        {byOwner, "reaps doomed heads that have nothing to unwind, then mounts the head with its chain", "I1 I2 I9"},
		Yield:       {byCurrent, "back of the ready queue with its chain; no fiber is current", "I1 I2 I13"},
		ArmQueue:    {byContext, "creates the ticket of a wait for a peer, with an optional deadline", "I5 I13"},
		ArmIO:       {byContext, "the same for an operation of its own; latched at once if the operation is done", "I8 I13"},
		Disarm:      {byContext, "takes the ticket back, or collects what it was latched with", "I10 I13"},
		Block:       {byContext, "commits the wait: the chain parks and no fiber is current, or the call is pinned under a pump; no effect if the wait has ended, or the fiber must unwind", "I2 I9 I13"},
		WakeID:      {"owner with the ID", "ends the wait that the context is blocked in", "I3"},
		Deliver:     {byTicket, "ends the wait of the ticket; or is refused and changes nothing", "I3 I5 I9"},
		IoSubmit:    {byCurrent, "an operation begins, owned by the root", "I8 I12"},
		IoDone:      {byDevice, "the only completion: ends the wait for the operation, or is kept, or counted and dropped", "I8 I12"},
		Cancel:      {byOwner, "ends the wait at the top of the chain, or stays pending until the next wait; starts the grace period", "I9 I10"},
		Kill:        {byOwner, "dead at once if blocked with nothing to unwind, else doomed: its wait ends, or it is held no longer, and it only runs to unwind", "I9 I10"},
		Exit:        {byCurrent, "dead: operations abandoned, slot free or retired", "I5 I10 I12"},
		Acquire:     {byContext, "a trampoline on top of the chain, Running", "I4 I13"},
		Release:     {byContext, "the top of the chain is dead", "I4 I7 I13"},
		ArmTimer:    {byContext, "creates the ticket of a wait for a deadline only", "I13"},
		Expire:      {"the clock", "the earliest deadline ends its wait; that of a grace period kills", "I9 I10"},
		Mask:        {byCurrent, "postpones cancellation of the chain", "I6"},
		Unmask:      {byCurrent, "undoes one Mask", "I6"},
		Interrupted: {byCurrent, "reports a kill every time, a cancellation once", "I6 I9"},
		YieldPinned: {byContext, "pins the chain of a call that may continue, so that other fibers run", "I2"},
		Unpin:       {byPump, "the innermost pinned chain, whose call may continue, is current again", "I2"},
		FailPinned:  {byPump, "ends the wait of the innermost pinned call, which nothing else can end, with a Fatal panic", "I9"},
		MoveOut:     {byOwner, "a ready fiber that is not tied to this scheduler leaves it: dead here, its tickets spent; it continues in another", "I5 I12"},
		MoveIn:      {byOwner, "a fiber from another scheduler gets a dead slot; back of the ready queue", "I1 I5 I12"},
		Tie:         {byCurrent, "it owns a lock, or is in a scope, and cannot move", "I12"},
		Untie:       {byCurrent, "undoes Tie", "I12"},
		ArmOutside:  {byContext, "the same as ArmQueue, for a wake-up from outside the scheduler: an idle scheduler waits for it", "I9 I13"},
		Promise:     {byOwner, "an event from outside is expected, for no particular wait: an idle scheduler waits", "I9"},
		TakeBack:    {byOwner, "withdraws the Promise", "I9"},
		Lend:        {byCurrent, "a worker runs its slice: Running, and no fiber is current", "I2 I13"},
		EndRun:      {byOwner, "every fiber has ended: the answer is the first verdict that has failed a pinned call of the run", "I9"},
		Hold:        {byOwner, "a fiber that the host has paused comes to the head of the ready queue: it leaves the queue and stays Runnable", "I1 I9"},
		Resume:      {byOwner, "a held fiber goes to the back of the ready queue", "I1 I9"},
		Pick:        {byOwner, "Next for a fiber that the host has chosen from the ready queue: Running and current, its chain mounted", "I1 I2 I9"},
		Recall:      {byOwner, "the slice has ended: the lent fiber is current again", "I2"},
	}
	all := make([]Description, kinds)
	for k, d := range table {
		all[k] = Description{Kind(k), d.caller, d.effect, d.rules}
	}
	return all
}
