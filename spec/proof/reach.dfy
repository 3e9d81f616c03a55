// I1, I2, I5, I8, I9 (its safe half), I10, I12 and I13 hold in every state that can be
// reached, by any number of any actions but Acquire and Release, by any number of fibers, with
// any number of tokens, tickets and deadlines: by induction over the actions.
include "keeps.dfy"
include "slices.dfy"

// The host does this next. Deliver takes any ticket, Expire and EndGrace are the time passing.
datatype Action = DoSpawn(f: Slot, frames: bool) | DoNext | DoWakeID(f: Slot) | DoDeliver(u: Ticket)
                | DoIoDone(k: nat) | DoExpire(f: Slot) | DoEndGrace(f: Slot)
                | DoCancel(f: Slot, grace: Opt<nat>) | DoKill(f: Slot)
                | DoYield | DoExit | DoArmQueue(at: Opt<nat>) | DoArmTimer(at: Opt<nat>)
                | DoArmIO(k: nat, at: Opt<nat>) | DoDisarm | DoBlock | DoIoSubmit(k: nat)
                | DoMask | DoUnmask | DoInterrupted

predicate Can(s: State, a: Action) requires Total(s) {
  match a
  case DoSpawn(f, frames) => CanSpawn(s, f)
  case DoNext => CanNext(s)
  case DoWakeID(f) => CanWakeID(s, f)
  case DoDeliver(u) => true
  case DoIoDone(k) => CanIoDone(s, k)
  case DoExpire(f) => CanExpire(s, f)
  case DoEndGrace(f) => CanEndGrace(s, f)
  case DoCancel(f, grace) => CanCancel(s, f)
  case DoKill(f) => CanKill(s, f)
  case DoYield => CanYield(s)
  case DoExit => CanExit(s)
  case DoArmQueue(at) => CanArmQueue(s, at)
  case DoArmTimer(at) => CanArmTimer(s, at)
  case DoArmIO(k, at) => CanArmIO(s, k, at)
  case DoDisarm => CanDisarm(s)
  case DoBlock => CanBlock(s)
  case DoIoSubmit(k) => CanIoSubmit(s, k)
  case DoMask => CanMask(s)
  case DoUnmask => CanUnmask(s)
  case DoInterrupted => CanInterrupted(s)
}

// I3: the invariants are what makes the actions possible: what they wake is blocked.
function Do(s: State, a: Action): State requires Inv(s) && Can(s, a) ensures Inv(Do(s, a)) {
  match a
  case DoSpawn(f, frames) => SpawnKeeps(s, f, frames); Spawn(s, f, frames)
  case DoNext => NextKeeps(s); Next(s)
  case DoWakeID(f) => WakeIDKeeps(s, f); WakeID(s, f)
  case DoDeliver(u) => DeliverKeeps(s, u); Deliver(s, u)
  case DoIoDone(k) => IoDoneKeeps(s, k); IoDone(s, k)
  case DoExpire(f) => ExpireKeeps(s, f); Expire(s, f)
  case DoEndGrace(f) => EndGraceKeeps(s, f); EndGrace(s, f)
  case DoCancel(f, grace) => CancelKeeps(s, f, grace); Cancel(s, f, grace)
  case DoKill(f) => KillKeeps(s, f); Kill(s, f)
  case DoYield => YieldKeeps(s); Yield(s)
  case DoExit => ExitKeeps(s); Exit(s)
  case DoArmQueue(at) => ArmQueueKeeps(s, at); ArmQueue(s, at)
  case DoArmTimer(at) => ArmTimerKeeps(s, at); ArmTimer(s, at)
  case DoArmIO(k, at) => ArmIOKeeps(s, k, at); ArmIO(s, k, at)
  case DoDisarm => DisarmKeeps(s); Disarm(s)
  case DoBlock => BlockKeeps(s); Block(s)
  case DoIoSubmit(k) => IoSubmitKeeps(s, k); IoSubmit(s, k)
  case DoMask => MaskKeeps(s); Mask(s)
  case DoUnmask => UnmaskKeeps(s); Unmask(s)
  case DoInterrupted => InterruptedKeeps(s); Interrupted(s)
}

// Nobody lives, nothing is in flight, no ticket was given out.
predicate First(s: State) {
  Total(s) && s.ready == [] && s.cur == None && s.out == iset{} &&
  (forall c :: s.ctx[c].st == Dead && s.ctx[c].latch == Unarmed && s.ctx[c].wait == None && s.ctx[c].due == None) &&
  (forall f :: s.fib[f] == Nobody()) && (forall k: nat :: s.tok[k] == Ended())
}
lemma FirstHolds(s: State) requires First(s) ensures Inv(s) {}

// There is such a state, so the induction has a beginning.
lemma FirstIs() ensures exists s :: First(s) {
  var s := State(imap c: Slot | true :: Context(Dead, Unarmed, None, None, 0, c, 0), imap f: Slot | true :: Nobody(),
                 imap k: nat | true :: Ended(), imap p: Place | true :: p.f, [], None, 0, iset{});
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
