// Every action of the executing context, but for Acquire and Release, keeps every invariant.
// A lemma names the rules that its action is most likely to break.
include "slice.dfy"
include "invariants.dfy"

// I1, I13
lemma YieldKeeps(s: State) requires Inv(s) && CanYield(s) ensures Inv(Yield(s)) {}

// I5, I10, I12: tickets and tokens of a life end with it.
lemma ExitKeeps(s: State) requires Inv(s) && CanExit(s) ensures Inv(Exit(s)) {
  var t := Exit(s);
  forall k: nat ensures t.tok[k].waiter.Some? ==> t.tok[k] == s.tok[k] && t.tok[k].waiter != s.cur {}
}

// I9, I10: the deadline is there where there is no other source, and belongs to the wait.
lemma ArmQueueKeeps(s: State, at: Opt<nat>) requires Inv(s) && CanArmQueue(s, at) ensures Inv(ArmQueue(s, at)) {}
lemma ArmTimerKeeps(s: State, at: Opt<nat>) requires Inv(s) && CanArmTimer(s, at) ensures Inv(ArmTimer(s, at)) {}

// I8, I10, I12: the waiter map gets a regular fiber that owns the token, unless it is done.
lemma ArmIOKeeps(s: State, k: nat, at: Opt<nat>) requires Inv(s) && CanArmIO(s, k, at) ensures Inv(ArmIO(s, k, at)) {}

// I10: and loses it when the wait is taken back.
lemma DisarmKeeps(s: State) requires Inv(s) && CanDisarm(s) ensures Inv(Disarm(s)) {}

// I9: whoever is doomed, cancelled or latched does not park. I2: whoever does is not current.
lemma BlockKeeps(s: State) requires Inv(s) && CanBlock(s) ensures Inv(Block(s)) {}

// I12
lemma IoSubmitKeeps(s: State, k: nat) requires Inv(s) && CanIoSubmit(s, k) ensures Inv(IoSubmit(s, k)) {}

// I9: only who runs masks and unmasks, so nobody sleeps over what is unmasked.
lemma MaskKeeps(s: State) requires Inv(s) && CanMask(s) ensures Inv(Mask(s)) {}
lemma UnmaskKeeps(s: State) requires Inv(s) && CanUnmask(s) ensures Inv(Unmask(s)) {}
lemma InterruptedKeeps(s: State) requires Inv(s) && CanInterrupted(s) ensures Inv(Interrupted(s)) {}
