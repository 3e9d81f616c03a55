// What single actions promise besides the invariants.
include "pumps.dfy"

// I6: who masks cancellation is not woken by it, and is told of it once.
lemma MaskedSleepsOn(s: State, c: Slot, grace: Opt<nat>)
  requires Inv(s) && CanCancel(s, c) && Masked(s.fib[Root(s, c)])
  ensures Cancel(s, c, grace).ctx == s.ctx
{}
lemma ToldOnce(s: State)
  requires Runs(s) && Total(s) && InterruptedAnswer(s) == Cancelled
  ensures InterruptedAnswer(Interrupted(s)) != Cancelled
{}

// A killed fiber is dead, or awake and doomed; so is a cancelled one when its grace is over.
predicate Ends(s: State, f: Slot) requires Total(s) {
  s.ctx[f].st == Dead || (s.fib[f].doomed && !Blocked(s.ctx[Top(s, f)].st))
}
lemma KillEnds(s: State, c: Slot)
  requires Inv(s) && CanKill(s, c)
  ensures Ends(Kill(s, c), Root(s, c))
{
  assert At(c); EndsRoot(s, Root(s, c));
}
lemma EndsRoot(s: State, f: Slot)
  requires Inv(s) && f.R?
  ensures Ends(KillRoot(s, f), f)
{
  TopIs(s, f);
  if !s.fib[f].doomed && Blocked(s.ctx[Top(s, f)].st) && !Frameless(s, f) { WakeKeeps(s, Top(s, f)); }
}
lemma GraceEnds(s: State, f: Slot)
  requires Inv(s) && CanEndGrace(s, f)
  ensures Ends(EndGrace(s, f), f)
{
  var off := NoGrace(s, f); NoGraceKeeps(s, f);
  EndsRoot(off, f); KillRootKeeps(off, f); ReapLeaves(KillRoot(off, f), f);
}
lemma ReapLeaves(s: State, f: Slot)
  requires Inv(s) && f.R? && Ends(s, f)
  ensures Ends(ReapHeads(s), f)
  decreases |s.ready|
{
  if Reapable(s) { assert At(f) && At(s.ready[0]); TopIs(s, f); ReapKeeps(s); ReapLeaves(Reap(s), f); }
}

// Time comes in order, whoever it is for.
lemma TimeIsInOrder(s: State, c: Slot, d: Slot)
  requires Total(s) && CanExpire(s, c) && s.ctx[d].due.Some?
  ensures s.ctx[c].due.v <= s.ctx[d].due.v
{}

// ---- I9: a verdict is given exactly when nothing can end the wait that is pumped for --------

// Nothing happens any more by itself: no fiber is ready to be mounted, no pinned call goes on, no
// time comes, and no operation wakes anybody.
predicate Silent(s: State) requires Total(s) {
  !CanNext(s) && !CanUnpin(s) && (forall c :: !CanExpire(s, c)) && (forall f :: !CanEndGrace(s, f)) &&
  (forall k: nat :: CanIoDone(s, k) ==> IoAnswer(s, k) == Late || IoAnswer(s, k) == Early)
}
lemma VerdictIsExact(s: State)
  requires Inv(s)
  ensures CanFailPinned(s) <==> !Runs(s) && |s.pins| > 0 && Silent(s)
{
  forall k: nat | s.tok[k].waiter.Some?
    ensures CanIoDone(s, k) && (IoAnswer(s, k) == Woken || IoAnswer(s, k) == WokeArmed)
  { assert OfToken(s, k); }
  if !Runs(s) {
    forall c | s.ctx[c].due.Some? ensures !Silent(s) { TimeComes(s, s.ctx[c].due.v); }
    forall f: Slot | f.R? && s.fib[f].grace.Some? ensures !Silent(s) { TimeComes(s, s.fib[f].grace.v); }
  }
}
// Of deadlines there is always a first.
lemma TimeComes(s: State, at: nat)
  requires Inv(s) && !Runs(s)
  requires (exists c :: s.ctx[c].due == Some(at)) || (exists f: Slot :: f.R? && s.fib[f].grace == Some(at))
  ensures !Silent(s)
  decreases at
{
  if c: Slot :| s.ctx[c].due.Some? && s.ctx[c].due.v < at { TimeComes(s, s.ctx[c].due.v); }
  else if f: Slot :| f.R? && s.fib[f].grace.Some? && s.fib[f].grace.v < at { TimeComes(s, s.fib[f].grace.v); }
  else if c: Slot :| s.ctx[c].due == Some(at) { assert CanExpire(s, c); }
  else { var f: Slot :| f.R? && s.fib[f].grace == Some(at); assert CanEndGrace(s, f); }
}
// It ends the wait of the innermost call, and says whether one below it may go on.
lemma VerdictIsInForce(s: State)
  requires Inv(s) && CanFailPinned(s)
  ensures GoesOn(FailPinned(s)) && s.fib[Inner(s)] != FailPinned(s).fib[Inner(s)]
  ensures Verdict(s) == StackInversion <==> exists i :: 0 <= i < |s.pins| - 1 && !Blocked(s.ctx[Top(s, s.pins[i])].st)
{
  var f := Inner(s); assert At(f); TopIs(s, f); WakeKeeps(s, Top(s, f)); FailPinnedKeeps(s);
  forall i | 0 <= i < |s.pins| ensures s.ctx[Top(s, s.pins[i])].st == Running || Blocked(s.ctx[Top(s, s.pins[i])].st) {
    assert At(s.pins[i]); TopIs(s, s.pins[i]);
  }
}
