// I11, of the ready queue: nobody overtakes. Whatever an action does, it takes from the front of
// the queue and adds at its back: who was in it is still in it, in the same order, or was at the
// front and has been mounted or reaped.
include "reach.dfy"

// n have left the queue.
predicate Moves(s: State, t: State, n: nat) { n <= |s.ready| && s.ready[n..] <= t.ready }

lemma NobodyOvertakes(s: State, a: Action)
  requires Inv(s) && Can(s, a)
  ensures exists n :: Moves(s, Do(s, a), n)
{
  var t := Do(s, a);
  if a.DoNext? { var n := Reaped(s); MountMoves(ReapHeads(s)); assert Moves(s, t, n) || Moves(s, t, n + 1); }
  else if a.DoExpire? { assert At(a.c); WakeKeeps(s, a.c); ReapedAfter(s, Wake(s, a.c)); }
  else if a.DoEndGrace? {
    NoGraceKeeps(s, a.f); KillRootKeeps(NoGrace(s, a.f), a.f); ReapedAfter(s, KillRoot(NoGrace(s, a.f), a.f));
  }
  else { assert Moves(s, t, 0); }
}

lemma Reaped(s: State) returns (n: nat)
  requires Inv(s)
  ensures n <= |s.ready| && ReapHeads(s).ready == s.ready[n..]
  decreases |s.ready|
{
  n := 0;
  if Reapable(s) { ReapKeeps(s); n := Reaped(Reap(s)); n := n + 1; }
}
lemma MountMoves(s: State)
  requires Total(s)
  ensures Mount(s).ready == if |s.ready| > 0 then s.ready[1..] else []
{
  if |s.ready| > 0 { assert Mount(s).ready == s.ready[1..]; }
}
lemma ReapedAfter(s: State, w: State)
  requires Inv(w) && s.ready <= w.ready
  ensures exists n :: Moves(s, ReapHeads(w), n)
{
  var n := Reaped(w);
  assert Moves(s, ReapHeads(w), if n <= |s.ready| then n else |s.ready|);
}
