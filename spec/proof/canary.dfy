// What is not true must not be provable: the guards and the premises contradict nothing.
include "later.dfy"
include "reach.dfy"

lemma EverythingIsLater(s: State, t: State)
  requires Total(s) && Total(t)
  ensures Later(s, t)
{}

lemma BlockChangesNothing(s: State)
  requires Total(s) && CanBlock(s) && BlockAnswer(s) == Parked
  ensures Block(s) == s
{}

lemma NothingWakes(s: State, u: Ticket)
  requires Total(s)
  ensures Answer(s, u) != Woken
{}

// The induction needs its hypothesis, and the invariants leave room to run and to wait.
lemma AnyBlockKeeps(s: State)
  requires Total(s) && CanBlock(s)
  ensures Inv(Block(s))
{}

lemma NobodyRuns(s: State)
  requires Inv(s)
  ensures s.cur == None
{}

lemma NobodyWaitsForIO(s: State, k: nat)
  requires Inv(s)
  ensures s.tok[k].waiter == None
{}
