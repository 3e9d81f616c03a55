package scheduler

import "github.com/selvage-dev/selvage/fiber"

// The preconditions of the fast paths. Each operation that hosts call in their loop begins
// with one comparison: the fiber's word under a mask must equal a value. A flag that is in
// the mask sends the operation to its slow path, unless the value has it. A flag may be out
// of a mask only if the fast path is right whether it is set or not: fastpath_masks_test.go
// gives the reason for each flag and each mask, so that a new flag cannot be forgotten.
//
// Beside the word a fast path checks that op is op.None. That is so only between operations of
// a scheduler that is not poisoned and has no observer; in any other case the slow path refuses,
// or reports to the observer (rule ONE-OWNER). ScheduleNext, YieldCurrent and Block do not check
// it, because they are inlined into the host's loop: an observer finds what they did in the
// history, and a poisoned scheduler has no current fiber for them. A path that numbers a wait also
// compares seq with lastSeq, and leaves the refusal (I5) to Arm. In the checked build a fast path
// verifies the table of states and locations, as the slow path does when it leaves.

// interrupts are the flags of a fiber that has to unwind instead of waiting.
const interrupts = killPending | fatal | cancelPending

// gateMask is what the gate looks at.
const gateMask = stateMask | armed | latched

const (
	// ArmForQueue wants running.
	armMask = gateMask | owed | kept | chained
	// ArmOn wants running. It replaces the kept source itself.
	armOnMask = gateMask | owed | chained | holds
	// Block wants running|armed.
	blockMask = gateMask | chained | interrupts
	// BlockForQueue and BlockForIO want running: they arm and block in one step.
	blockForMask = armMask | interrupts
	// BlockOn wants running|kept: the source is the one of the last wait.
	blockOnMask = armMask | holds | interrupts
	// Claim wants running.
	claimMask = gateMask | chained
	// KillCurrent wants running.
	exitMask = gateMask | chained | hasExt | owed | kept | operates
	// AcquireTrampoline wants running|hasExt.
	acquireMask = gateMask | hasExt | killPending | fatal | nests
	// ReleaseTrampoline wants running|chained.
	releaseMask = gateMask | chained | killPending
	// Own wants running|kept, Disown running|holds.
	ownMask    = gateMask | kept | holds | hasExt
	disownMask = gateMask | holds | hasExt
	// Submit wants running.
	submitMask = stateMask | killPending | fatal
	// Deliver and Apply want singleWait: blocked in a wait that only its ticket can end,
	// with at most one source.
	singleMask = gateMask | kindMask | codeMask | external | hasExt | onCallee | timed
	singleWait = blocked | word(fiber.Queue)<<kindShift
	// Complete wants plainIO: blocked in a wait for an operation, without a deadline.
	plainIOMask = gateMask | kindMask | codeMask | external | timed | owed
	plainIO     = blocked | word(fiber.IO)<<kindShift
	// A batch takes a fiber that is runnable and has something to run.
	drawMask = stateMask | reapable
)

// waitsBy reports whether a regular fiber is blocked by exactly this ticket and has registered
// nothing (source 0) or only with this source, which has removed the ticket itself. These are
// the common cases: waking the fiber is all there is to do. The slot of a trampoline is
// outside the table of regular slots.
func (h *header) waitsBy(t fiber.Ticket, source uint32) bool {
	return h.seq == t.Seq && h.gen == t.ID.Generation() && h.ref == source && h.word&singleMask == singleWait
}

// waitsWithExt is waitsBy for a fiber with an extension record, in which a wait on several sources
// has a list. The mask excludes a wait with a deadline (timed), so nothing is left to withdraw.
func (r *registry) waitsWithExt(h *header, t fiber.Ticket, source uint32) bool {
	if h.seq != t.Seq || h.gen != t.ID.Generation() || h.word&singleMask != singleWait|hasExt {
		return false
	}
	s := r.exts.all[h.ref-1]
	return s.source == source && len(s.sources) == 0
}

// queueWait is a word at the start of a Queue wait without a deadline: the code is Pending, which
// is 0, so that the end of the wait can set its code without clearing it first.
func queueWait(w word) word {
	return w&^(kindMask|codeMask|external) | word(fiber.Queue)<<kindShift
}
