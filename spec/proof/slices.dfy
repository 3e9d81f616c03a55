// Every action of the executing context keeps every invariant.
// A lemma names the rules that its action is most likely to break.
include "slice.dfy"
include "invariants.dfy"

// I1, I13
lemma YieldKeeps(s: State) requires Inv(s) && CanYield(s) ensures Inv(Yield(s)) { ExecIs(s); }

// I5, I10, I12: tickets and tokens of a life end with it.
lemma ExitKeeps(s: State) requires Inv(s) && CanExit(s) ensures Inv(Exit(s)) { ExecIs(s); }

// I4, I13: the new top is in no other chain, and whom it covers has no wait prepared.
lemma AcquireKeeps(s: State, t: Slot) requires Inv(s) && CanAcquire(s, t) ensures Inv(Acquire(s, t)) { ExecIs(s); assert At(t); }
lemma ReleaseKeeps(s: State) requires Inv(s) && CanRelease(s) ensures Inv(Release(s)) { ExecIs(s); }

// I9, I10: the deadline is there where there is no other source, and belongs to the wait.
lemma ArmQueueKeeps(s: State, at: Opt<nat>) requires Inv(s) && CanArmQueue(s, at) ensures Inv(ArmQueue(s, at)) { ExecIs(s); }
lemma ArmTimerKeeps(s: State, at: Opt<nat>) requires Inv(s) && CanArmTimer(s, at) ensures Inv(ArmTimer(s, at)) { ExecIs(s); }

// I8, I10, I12: the waiter map gets a regular fiber that owns the token, unless it is done.
lemma ArmIOKeeps(s: State, k: nat, at: Opt<nat>) requires Inv(s) && CanArmIO(s, k, at) ensures Inv(ArmIO(s, k, at)) { ExecIs(s); }

// I10: and loses it when the wait is taken back.
lemma DisarmKeeps(s: State) requires Inv(s) && CanDisarm(s) ensures Inv(Disarm(s)) { ExecIs(s); }

// I9: whoever unwinds, is cancelled or latched does not sleep. I2: whoever does is not current,
// and its callers wait for it, or are pinned.
lemma BlockKeeps(s: State) requires Inv(s) && CanBlock(s) ensures Inv(Block(s)) {
  ExecIs(s);
  var answer := BlockAnswer(s);
  if answer == Parked { ParkKeeps(s); } else if answer == Pinned { PinKeeps(s); }
}
lemma ParkKeeps(s: State) requires Inv(s) && CanBlock(s) && BlockAnswer(s) == Parked ensures Inv(Block(s)) { ExecIs(s); }
lemma PinKeeps(s: State) requires Inv(s) && CanBlock(s) && BlockAnswer(s) == Pinned ensures Inv(Block(s)) { ExecIs(s); }

// I12
lemma IoSubmitKeeps(s: State, k: nat) requires Inv(s) && CanIoSubmit(s, k) ensures Inv(IoSubmit(s, k)) { ExecIs(s); }

// I9: only who runs masks and unmasks, so nobody sleeps over what is unmasked.
lemma MaskKeeps(s: State) requires Inv(s) && CanMask(s) ensures Inv(Mask(s)) { ExecIs(s); }
lemma UnmaskKeeps(s: State) requires Inv(s) && CanUnmask(s) ensures Inv(Unmask(s)) { ExecIs(s); }
lemma InterruptedKeeps(s: State) requires Inv(s) && CanInterrupted(s) ensures Inv(Interrupted(s)) { ExecIs(s); }
