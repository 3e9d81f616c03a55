package scheduler

// reservedWaits is how many waits are left when a run ends for want of numbers. They are for the
// rest of the batch under way, which begins waits before the next poll.
const reservedWaits = 1 << 20

// WaitRoom returns ErrWaitsUsedUp while fewer than 2^20 of the 2^48 waits are left that a
// scheduler can number (I5). The next poll then ends the run with that error: no fiber begins,
// and all are killed. A host whose slices may begin more than 2^15 waits each asks before a wait;
// after the last number Arm is a contract error (I5). O(1).
func (f Attachments) WaitRoom() error {
	if c := f.core; c.lastSeq-c.seq < reservedWaits {
		return ErrWaitsUsedUp
	}
	return nil
}

// endIfWaitsUsedUp ends the run, unless something else has ended it before.
func (f Steps) endIfWaitsUsedUp() {
	if c := f.core; c.lastSeq-c.seq < reservedWaits && c.ended == nil {
		c.ended = ErrWaitsUsedUp
	}
}
