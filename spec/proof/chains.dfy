// Chains, on the whole machine, Acquire and Release too: I4, with I1, I8 and what I2 says of
// roots, which it stands on, are kept by every action, for any number of everything.
//
// That what an action wakes is blocked (I3) is a premise here, written out where it is needed:
// with trampolines it is checked at bounds only, without them reach.dfy proves it.
include "slice.dfy"

// I1: the ready queue holds exactly the Runnable, each once.
predicate Ready(s: State) requires Total(s) {
  (forall c :: c in s.ready <==> s.ctx[c].st == Runnable) &&
  (forall i, j :: 0 <= i < j < |s.ready| ==> s.ready[i] != s.ready[j])
}
// I2: current and Running are the same, of regular fibers.
predicate Current(s: State) requires Total(s) {
  (s.cur.Some? ==> s.cur.v.R?) &&
  (forall c: Slot :: c.R? ==> (s.cur == Some(c) <==> s.ctx[c].st == Running))
}
// I4: a trampoline is never Runnable, so never in the ready queue. A living one is in exactly
//     one chain, once; a dead one is in none.
predicate Linked(s: State) requires Total(s) {
  (forall t: Slot :: t.T? ==> s.ctx[t].st != Runnable) &&
  (forall t: Slot {:trigger s.ctx[t].root} :: t.T? && s.ctx[t].st != Dead ==>
    s.ctx[t].root.R? && s.ctx[t].place < s.fib[s.ctx[t].root].depth &&
    s.chain[Place(s.ctx[t].root, s.ctx[t].place)] == t) &&
  (forall p: Place {:trigger Mark(p)} :: Mark(p) && p.f.R? && p.i < s.fib[p.f].depth ==>
    Above(s, p.f, s.chain[p]) && s.ctx[s.chain[p]].place == p.i)
}
// Tells the prover which places to look at: it would look at those of their roots' roots.
predicate Mark(p: Place) { true }

// I10: no chain is left of the dead. I8: the waiter map holds regular fibers only.
predicate Bare(s: State) requires Total(s) {
  (forall f: Slot :: f.R? && s.ctx[f].st == Dead ==> s.fib[f].depth == 0) &&
  (forall k: nat :: s.tok[k].waiter.Some? ==> s.tok[k].waiter.v.R?)
}

predicate Chains(s: State) { Total(s) && Ready(s) && Current(s) && Linked(s) && Bare(s) }

// The top of a chain is a living member of it.
lemma TopOf(s: State, f: Slot)
  requires Chains(s) && f.R?
  ensures s.fib[f].depth > 0 ==> Above(s, f, Top(s, f)) && s.ctx[Top(s, f)].place == s.fib[f].depth - 1
{ if s.fib[f].depth > 0 { assert Mark(Place(f, s.fib[f].depth - 1)); } }

lemma WakeLinks(s: State, f: Slot)
  requires Chains(s) && f.R? && Blocked(s.ctx[f].st)
  ensures Chains(Wake(s, f))
{ TopOf(s, f); }
lemma SpawnLinks(s: State, f: Slot, frames: bool)
  requires Chains(s) && CanSpawn(s, f)
  ensures Chains(Spawn(s, f, frames))
{}
lemma MountLinks(s: State)
  requires Chains(s) && s.cur == None
  ensures Chains(Mount(s))
{
  if |s.ready| > 0 { assert s.ready == [s.ready[0]] + s.ready[1..]; assert Mount(s).ready == s.ready[1..]; }
}
lemma ReapLinks(s: State)
  requires Chains(s) && Reapable(s)
  ensures Chains(Reap(s))
{ assert s.ready == [s.ready[0]] + s.ready[1..]; }
lemma LatchLinks(s: State, c: Slot)
  requires Chains(s)
  ensures Chains(LatchIt(s, c))
{}
lemma DieLinks(s: State, f: Slot)
  requires Chains(s) && f.R? && Blocked(s.ctx[f].st) && Frameless(s, f)
  ensures Chains(Bury(EndWait(s, f), f))
{}
lemma YieldLinks(s: State)
  requires Chains(s) && CanYield(s)
  ensures Chains(Yield(s))
{}
lemma ExitLinks(s: State)
  requires Chains(s) && CanExit(s)
  ensures Chains(Exit(s))
{}
lemma AcquireLinks(s: State, t: Slot)
  requires Chains(s) && CanAcquire(s, t)
  ensures Chains(Acquire(s, t))
{}
lemma ReleaseLinks(s: State)
  requires Chains(s) && CanRelease(s)
  ensures Chains(Release(s))
{ TopOf(s, s.cur.v); }
lemma PrepareLinks(s: State, why: Why, at: Opt<nat>)
  requires Chains(s) && Runs(s)
  ensures Chains(Prepare(s, why, at))
{ TopOf(s, s.cur.v); }
lemma ArmIOLinks(s: State, k: nat, at: Opt<nat>)
  requires Chains(s) && CanArmIO(s, k, at)
  ensures Chains(ArmIO(s, k, at))
{ TopOf(s, s.cur.v); }
lemma DisarmLinks(s: State)
  requires Chains(s) && CanDisarm(s)
  ensures Chains(Disarm(s))
{ TopOf(s, s.cur.v); }
lemma ParkLinks(s: State)
  requires Chains(s) && Runs(s)
  ensures Chains(Park(s))
{ TopOf(s, s.cur.v); }
lemma BlockLinks(s: State)
  requires Chains(s) && CanBlock(s) && BlockAnswer(s) != Parked
  ensures Chains(Block(s))
{ TopOf(s, s.cur.v); }

lemma IoSubmitLinks(s: State, k: nat)
  requires Chains(s) && CanIoSubmit(s, k)
  ensures Chains(IoSubmit(s, k))
{}
lemma MaskLinks(s: State)
  requires Chains(s) && CanMask(s)
  ensures Chains(Mask(s))
{}
lemma UnmaskLinks(s: State)
  requires Chains(s) && CanUnmask(s)
  ensures Chains(Unmask(s))
{}
lemma InterruptedLinks(s: State)
  requires Chains(s) && CanInterrupted(s)
  ensures Chains(Interrupted(s))
{}

// ---- the compound ones ---------------------------------------------------------------

lemma ReapHeadsLinks(s: State)
  requires Chains(s)
  ensures Chains(ReapHeads(s)) && ReapHeads(s).cur == s.cur
  decreases |s.ready|
{
  if Reapable(s) { ReapLinks(s); ReapHeadsLinks(Reap(s)); }
}
lemma NextLinks(s: State)
  requires Chains(s) && CanNext(s)
  ensures Chains(Next(s))
{
  ReapHeadsLinks(s); MountLinks(ReapHeads(s));
}
lemma WakeIDLinks(s: State, c: Slot)
  requires Chains(s) && CanWakeID(s, c) && Blocked(s.ctx[Root(s, c)].st)
  ensures Chains(WakeID(s, c))
{
  WakeLinks(s, Root(s, c));
}
lemma DeliverLinks(s: State, u: Ticket)
  requires Chains(s) && (Answer(s, u) == Woken ==> Root(s, u.c).R? && Blocked(s.ctx[Root(s, u.c)].st))
  ensures Chains(Deliver(s, u))
{
  var used := s.(out := s.out - iset{u});
  if Answer(s, u) == Woken { WakeLinks(used, Root(s, u.c)); }
  if Answer(s, u) == WokeArmed { LatchLinks(used, u.c); }
}
lemma IoDoneLinks(s: State, k: nat)
  requires Chains(s) && CanIoDone(s, k) && (IoAnswer(s, k) == Woken ==> Blocked(s.ctx[s.tok[k].waiter.v].st))
  ensures Chains(IoDone(s, k))
{}
lemma ExpireLinks(s: State, c: Slot)
  requires Chains(s) && CanExpire(s, c) && Root(s, c).R? && Blocked(s.ctx[Root(s, c)].st)
  ensures Chains(Expire(s, c))
{
  WakeLinks(s, Root(s, c)); ReapHeadsLinks(Wake(s, Root(s, c)));
}
lemma CancelLinks(s: State, c: Slot, grace: Opt<nat>)
  requires Chains(s) && CanCancel(s, c)
  ensures Chains(Cancel(s, c, grace))
{
  if Blocked(s.ctx[Root(s, c)].st) { WakeLinks(s, Root(s, c)); }
}
lemma KillRootLinks(s: State, f: Slot)
  requires Chains(s) && f.R?
  ensures Chains(KillRoot(s, f))
{
  if Blocked(s.ctx[f].st) {
    if Frameless(s, f) { DieLinks(s, f); } else { WakeLinks(s, f); }
  }
}
lemma KillLinks(s: State, c: Slot)
  requires Chains(s) && CanKill(s, c)
  ensures Chains(Kill(s, c))
{
  KillRootLinks(s, Root(s, c));
}
lemma EndGraceLinks(s: State, f: Slot)
  requires Chains(s) && CanEndGrace(s, f)
  ensures Chains(EndGrace(s, f))
{
  var off := s.(fib := s.fib[f := s.fib[f].(grace := None)]);
  KillRootLinks(off, f); ReapHeadsLinks(KillRoot(off, f));
}
