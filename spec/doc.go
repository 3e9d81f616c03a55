// Package spec is the executable specification of the scheduler core: a pure state
// machine whose states are comparable values and whose actions are data.
//
// It is the twin of scheduler.pml, the specification of record in Promela, and is
// written independently of it and of package scheduler. spec/check.sh proves that
// both twins have the same graph, edge by edge, so neither can drift; a replay of
// that graph proves the real scheduler against them.
//
// # The machine
//
// Regular fibers live in slots f0, f1, …; trampolines in slots t0, t1, …. A regular
// fiber is the root of a chain of trampolines, empty most of the time; the top of the
// chain (the root itself if it is empty) is what executes while the root is current.
// A context (a fiber of either pool) prepares a wait by arming it, then blocks. Its
// ticket goes to the code that is to wake it. When the top of a chain blocks the whole chain
// parks; when it is woken the chain is Running again and its root stands in the ready
// queue. A fiber that nests has calls that cannot park: such a call blocks alone, its chain
// is pinned under a pump, and the pump takes it up again when the call may go on.
//
// The machines of the waiting objects, of panics and of two schedulers between which fibers
// move are in folders of their own: channel, mutex, panics and move.
// Package graph searches through all of them. inbox.pml, which is about threads, has no
// twin: proptest and the twins follow one thread.
//
// # The table it owns
//
// Transitions lists every change of a scheduling status that the machine makes. The
// tests show that each row occurs and that nothing else does.
//
// # What is abstracted
//
// Ticket numbers are "the smallest that is free" instead of a counter, so that the
// graph is finite without a depth bound: a number that is free cannot be distinguished from
// a new one. Results and values are left out: what a wait ended with never decides what
// the machine does next. Ticket numbers that were never issued, tickets of other schedulers
// and unknown tokens are left out too; the comparison that refuses the others refuses
// them. Of time nothing is left but the order of the deadlines: Config.Deadlines of them
// can be live at once, the lower numbers earlier than the higher ones, each of one wait.
// With Config.Grace a grace period, which turns a cancel into a kill, ends after deadline
// 0 and before 1; it runs for one fiber at a time.
//
// The model bounds what the host may do, never what the scheduler does: Config.Tickets
// tickets of one slot in circulation (a context arms nothing while that many are in
// other hands) and one token held by a regular fiber at a time.
//
// # Where docs/design.md leaves room
//
//   - Latched counts as armed: between Arm and Block or Disarm there is no Yield, Exit,
//     Acquire, Release or second Arm, whether or not the wait has ended meanwhile.
//   - A latched Block gives its result whatever else is pending: a kill and a cancel wait
//     for the next Block. A kill comes before a cancel.
//   - Cancel and Kill do not end an armed wait. Its Block does; Disarm takes it back.
//   - A token taken back by Disarm stays with its owner, in flight, and may be awaited
//     again. A result collected by Disarm has ended its token.
//   - Arm(IO) of a token that is done gives out a ticket that is spent already.
//   - IoSubmit is refused to the doomed, as Acquire is, and allowed while a wait is
//     armed. A trampoline may submit; the token is its root's.
//   - Arm, Disarm, Block, Yield, Release and Exit are allowed to the doomed: it needs
//     them to unwind. A doomed fiber that yields with nothing to unwind is reaped.
//   - Cancel and Kill of a fiber that is dead are refused (an expected race, an error);
//     of one that is doomed, or cancelled before, Cancel is allowed and does nothing.
//   - A fiber whose cancel is taken can be killed, not cancelled again.
//   - WakeID and Deliver apply to the top of a parked chain only; its callers have no
//     ticket, and WakeID of a caller is refused.
//   - A wrong-source delivery leaves everything as it was, the ticket included.
//   - The tickets of a released trampoline are Gone like those of a dead fiber.
//   - A deadline comes only while no fiber is current: time passes between slices. So an
//     armed wait does not expire; one that is blocked does, the earliest first.
//   - Who looks at the clock also reaps the doomed heads of the ready queue, as Next does.
//   - A mask is the chain's, whichever member sets it, and is not in the way of a kill. It
//     may be set and taken off while a wait is armed, and ends with the life of the root.
//   - Interrupted tells of a cancel once, like Block, and of a kill at every call; what is
//     armed then stays armed.
//   - A grace period begins with the first cancel, masked or not, and ends with the fiber;
//     its end is a kill like any other.
//   - A fiber with a Fatal panic in force unwinds as the doomed do: no operation, no native call,
//     and every Block that has no result is answered Killed. It can be cancelled and killed.
//   - A verdict is given on the innermost pinned call only, and only if nothing else can
//     happen: no fiber is ready, nothing is awaited, no deadline and no grace period is live.
//     Tickets that are held do not count: code that means to use one from outside says so.
//     ArmOutside is that, and Promise says so for no wait in particular: that a Sender is
//     open, or a device waited for. A wait on an alarm that is set is one from outside.
//   - A slot that has had its last generation stays dead. To Spawn and Acquire that is
//     the same limit as a slot that is in use.
//   - The limit of pins is met by Acquire, not by the Block that would exceed it.
//   - Who moves out ends here like the dead, and who moves in begins like the spawned: what
//     it brings is its masks. What ties it is a flag; a wait that its object has not handed
//     over yet, which ties it too, is in package move.
//   - A fiber that is lent is Running and nowhere in the scheduler: it is cancelled and killed
//     like any other that runs, and is current again when it is recalled.
//   - A wait from outside is a Queue wait that a verdict counts. It has no deadline here.
//   - A fiber spawned at the front overtakes all others: that is what its host asks for.
//   - A Timer wait has a ticket, which is that of no source: a delivery is refused.
//
// # What it never does
//
// Import package scheduler, hold hidden state, or allow an action that its guard
// refuses: Apply of a disabled action returns the state as it was.
package spec
