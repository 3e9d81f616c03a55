// Once spent, a ticket stays spent: no action, in any order and by any caller, brings it
// back (I5). Every action is later than its state, and what is spent stays so.
include "pump.dfy"
include "stale.dfy"

// Nothing is given out again: sequence numbers and generations only grow, and a wait that
// begins has a number that never was.
predicate Later(s: State, t: State) requires Total(s) && Total(t) {
  s.last <= t.last &&
  forall c :: s.ctx[c].gen <= t.ctx[c].gen &&
    (t.ctx[c].wait.Some? ==> t.ctx[c].wait == s.ctx[c].wait || t.ctx[c].wait.v.num > s.last)
}

lemma SpentStays(s: State, t: State, u: Ticket)
  requires Total(s) && Total(t) && Later(s, t) && Spent(s, u)
  ensures Spent(t, u)
{}

// ---- every action is later -----------------------------------------------------------
// The guards are left out where they do not matter: what holds without them holds with them.

lemma WakeIsLater(s: State, c: Slot)
  requires Total(s) && Blocked(s.ctx[c].st)
  ensures Total(Wake(s, c)) && Later(s, Wake(s, c))
{}
lemma SpawnIsLater(s: State, f: Slot, frames: bool, nests: bool)
  requires Total(s)
  ensures Total(Spawn(s, f, frames, nests)) && Later(s, Spawn(s, f, frames, nests))
{}
lemma ReapIsLater(s: State)
  requires Total(s) && Reapable(s)
  ensures Total(Reap(s)) && Later(s, Reap(s))
{}
lemma MountIsLater(s: State)
  requires Total(s)
  ensures Total(Mount(s)) && Later(s, Mount(s))
{}
lemma WakeIDIsLater(s: State, c: Slot)
  requires Total(s) && CanWakeID(s, c)
  ensures Total(WakeID(s, c)) && Later(s, WakeID(s, c))
{}
lemma DeliverIsLater(s: State, u: Ticket)
  requires Total(s) && (Answer(s, u) == Woken ==> Blocked(s.ctx[u.c].st))
  ensures Total(Deliver(s, u)) && Later(s, Deliver(s, u))
{}
lemma IoDoneIsLater(s: State, k: nat)
  requires Total(s) && (IoAnswer(s, k) == Woken ==> Blocked(s.ctx[s.tok[k].waiter.v].st))
  ensures Total(IoDone(s, k)) && Later(s, IoDone(s, k))
{}
lemma CancelIsLater(s: State, c: Slot, grace: Opt<nat>)
  requires Total(s)
  ensures Total(Cancel(s, c, grace)) && Later(s, Cancel(s, c, grace))
{}
lemma KillRootIsLater(s: State, f: Slot)
  requires Total(s)
  ensures Total(KillRoot(s, f)) && Later(s, KillRoot(s, f))
{}
lemma YieldIsLater(s: State)
  requires Total(s) && Runs(s)
  ensures Total(Yield(s)) && Later(s, Yield(s))
{}
lemma ExitIsLater(s: State)
  requires Total(s) && Runs(s)
  ensures Total(Exit(s)) && Later(s, Exit(s))
{}
lemma AcquireIsLater(s: State, t: Slot)
  requires Total(s) && Runs(s)
  ensures Total(Acquire(s, t)) && Later(s, Acquire(s, t))
{}
lemma ReleaseIsLater(s: State)
  requires Total(s) && CanRelease(s)
  ensures Total(Release(s)) && Later(s, Release(s))
{}
lemma ArmQueueIsLater(s: State, at: Opt<nat>)
  requires Total(s) && Runs(s)
  ensures Total(ArmQueue(s, at)) && Later(s, ArmQueue(s, at))
{}
lemma ArmTimerIsLater(s: State, at: Opt<nat>)
  requires Total(s) && Runs(s)
  ensures Total(ArmTimer(s, at)) && Later(s, ArmTimer(s, at))
{}
lemma ArmIOIsLater(s: State, k: nat, at: Opt<nat>)
  requires Total(s) && Runs(s)
  ensures Total(ArmIO(s, k, at)) && Later(s, ArmIO(s, k, at))
{}
lemma DisarmIsLater(s: State)
  requires Total(s) && Runs(s)
  ensures Total(Disarm(s)) && Later(s, Disarm(s))
{}
lemma BlockIsLater(s: State)
  requires Total(s) && CanBlock(s)
  ensures Total(Block(s)) && Later(s, Block(s))
{}
lemma IoSubmitIsLater(s: State, k: nat)
  requires Total(s) && Runs(s)
  ensures Total(IoSubmit(s, k)) && Later(s, IoSubmit(s, k))
{}
lemma MaskIsLater(s: State)
  requires Total(s) && Runs(s)
  ensures Total(Mask(s)) && Later(s, Mask(s))
{}
lemma UnmaskIsLater(s: State)
  requires Total(s) && CanUnmask(s)
  ensures Total(Unmask(s)) && Later(s, Unmask(s))
{}
lemma InterruptedIsLater(s: State)
  requires Total(s) && Runs(s)
  ensures Total(Interrupted(s)) && Later(s, Interrupted(s))
{}

lemma YieldPinnedIsLater(s: State)
  requires Total(s) && Runs(s)
  ensures Total(YieldPinned(s)) && Later(s, YieldPinned(s))
{}
lemma UnpinIsLater(s: State)
  requires Total(s) && CanUnpin(s)
  ensures Total(Unpin(s)) && Later(s, Unpin(s))
{}
lemma FailPinnedIsLater(s: State)
  requires Total(s) && CanFailPinned(s)
  ensures Total(FailPinned(s)) && Later(s, FailPinned(s))
{}

// The compound ones: heads are reaped one by one, and then somebody is mounted or time has come.
lemma ReapHeadsIsLater(s: State)
  requires Total(s)
  ensures Later(s, ReapHeads(s))
  decreases |s.ready|
{
  if Reapable(s) { ReapIsLater(s); ReapHeadsIsLater(Reap(s)); }
}
lemma NextIsLater(s: State)
  requires Total(s)
  ensures Total(Next(s)) && Later(s, Next(s))
{
  ReapHeadsIsLater(s); MountIsLater(ReapHeads(s));
}
lemma ExpireIsLater(s: State, c: Slot)
  requires Total(s) && Blocked(s.ctx[c].st)
  ensures Total(Expire(s, c)) && Later(s, Expire(s, c))
{
  WakeIsLater(s, c); ReapHeadsIsLater(Wake(s, c));
}
lemma EndGraceIsLater(s: State, f: Slot)
  requires Total(s)
  ensures Total(EndGrace(s, f)) && Later(s, EndGrace(s, f))
{
  KillRootIsLater(NoGrace(s, f), f); ReapHeadsIsLater(KillRoot(NoGrace(s, f), f));
}
