// Every invariant holds in every state that can be reached, by any number of any actions, by
// any number of fibers and trampolines, with any number of tokens, tickets, deadlines and pins:
// by induction over the actions.
include "pumps.dfy"
include "slices.dfy"

// The host does this next. Deliver takes any ticket, Expire and EndGrace are the time passing.
datatype Action = DoSpawn(f: Slot, frames: bool, nests: bool) | DoNext | DoWakeID(c: Slot) | DoDeliver(u: Ticket)
                | DoIoDone(k: nat) | DoExpire(c: Slot) | DoEndGrace(f: Slot)
                | DoCancel(c: Slot, grace: Opt<nat>) | DoKill(c: Slot)
                | DoYield | DoExit | DoAcquire(t: Slot) | DoRelease | DoArmQueue(at: Opt<nat>) | DoArmTimer(at: Opt<nat>)
                | DoArmIO(k: nat, at: Opt<nat>) | DoDisarm | DoBlock | DoIoSubmit(k: nat)
                | DoMask | DoUnmask | DoInterrupted | DoYieldPinned | DoUnpin | DoFailPinned

predicate Can(s: State, a: Action) requires Total(s) {
  match a
  case DoSpawn(f, frames, nests) => CanSpawn(s, f)
  case DoNext => CanNext(s)
  case DoWakeID(c) => CanWakeID(s, c)
  case DoDeliver(u) => true
  case DoIoDone(k) => CanIoDone(s, k)
  case DoExpire(c) => CanExpire(s, c)
  case DoEndGrace(f) => CanEndGrace(s, f)
  case DoCancel(c, grace) => CanCancel(s, c)
  case DoKill(c) => CanKill(s, c)
  case DoYield => CanYield(s)
  case DoExit => CanExit(s)
  case DoAcquire(t) => CanAcquire(s, t)
  case DoRelease => CanRelease(s)
  case DoArmQueue(at) => CanArmQueue(s, at)
  case DoArmTimer(at) => CanArmTimer(s, at)
  case DoArmIO(k, at) => CanArmIO(s, k, at)
  case DoDisarm => CanDisarm(s)
  case DoBlock => CanBlock(s)
  case DoIoSubmit(k) => CanIoSubmit(s, k)
  case DoMask => CanMask(s)
  case DoUnmask => CanUnmask(s)
  case DoInterrupted => CanInterrupted(s)
  case DoYieldPinned => CanYieldPinned(s)
  case DoUnpin => CanUnpin(s)
  case DoFailPinned => CanFailPinned(s)
}

// I3: the invariants are what makes the actions possible: what they wake is blocked.
function Do(s: State, a: Action): State requires Inv(s) && Can(s, a) ensures Inv(Do(s, a)) {
  match a
  case DoSpawn(f, frames, nests) => SpawnKeeps(s, f, frames, nests); Spawn(s, f, frames, nests)
  case DoNext => NextKeeps(s); Next(s)
  case DoWakeID(c) => WakeIDKeeps(s, c); WakeID(s, c)
  case DoDeliver(u) => DeliverKeeps(s, u); Deliver(s, u)
  case DoIoDone(k) => IoDoneKeeps(s, k); IoDone(s, k)
  case DoExpire(c) => ExpireKeeps(s, c); Expire(s, c)
  case DoEndGrace(f) => EndGraceKeeps(s, f); EndGrace(s, f)
  case DoCancel(c, grace) => CancelKeeps(s, c, grace); Cancel(s, c, grace)
  case DoKill(c) => KillKeeps(s, c); Kill(s, c)
  case DoYield => YieldKeeps(s); Yield(s)
  case DoExit => ExitKeeps(s); Exit(s)
  case DoAcquire(t) => AcquireKeeps(s, t); Acquire(s, t)
  case DoRelease => ReleaseKeeps(s); Release(s)
  case DoArmQueue(at) => ArmQueueKeeps(s, at); ArmQueue(s, at)
  case DoArmTimer(at) => ArmTimerKeeps(s, at); ArmTimer(s, at)
  case DoArmIO(k, at) => ArmIOKeeps(s, k, at); ArmIO(s, k, at)
  case DoDisarm => DisarmKeeps(s); Disarm(s)
  case DoBlock => BlockKeeps(s); Block(s)
  case DoIoSubmit(k) => IoSubmitKeeps(s, k); IoSubmit(s, k)
  case DoMask => MaskKeeps(s); Mask(s)
  case DoUnmask => UnmaskKeeps(s); Unmask(s)
  case DoInterrupted => InterruptedKeeps(s); Interrupted(s)
  case DoYieldPinned => YieldPinnedKeeps(s); YieldPinned(s)
  case DoUnpin => UnpinKeeps(s); Unpin(s)
  case DoFailPinned => FailPinnedKeeps(s); FailPinned(s)
}

// Nobody lives, nothing is in flight, no ticket was given out.
predicate First(s: State) {
  Total(s) && s.ready == [] && s.cur == None && s.pins == [] && s.out == iset{} &&
  (forall c :: s.ctx[c].st == Dead && s.ctx[c].latch == Unarmed && s.ctx[c].wait == None && s.ctx[c].due == None && s.ctx[c].gen == 0) &&
  (forall f :: s.fib[f] == Nobody()) && (forall k: nat :: s.tok[k] == Ended())
}
lemma FirstHolds(s: State) requires First(s) ensures Inv(s) {}

// There is such a state, so the induction has a beginning.
lemma FirstIs() ensures exists s :: First(s) {
  var s := State(imap c: Slot | true :: Context(Dead, Unarmed, None, None, 0, c, 0), imap f: Slot | true :: Nobody(),
                 imap k: nat | true :: Ended(), imap p: Place | true :: p.f, [], None, [], 0, iset{});
  assert First(s);
}

// The states that some sequence of actions leads through, each from the one before.
predicate Played(states: seq<State>, actions: seq<Action>) {
  |states| == |actions| + 1 && First(states[0]) &&
  forall i :: 0 <= i < |actions| ==>
    Total(states[i]) && Can(states[i], actions[i]) && (Inv(states[i]) ==> states[i+1] == Do(states[i], actions[i]))
}

lemma HoldsForEver(states: seq<State>, actions: seq<Action>, i: nat)
  requires Played(states, actions) && i < |states|
  ensures Inv(states[i])
  decreases i
{
  if i == 0 { FirstHolds(states[0]); } else { HoldsForEver(states, actions, i - 1); }
}
