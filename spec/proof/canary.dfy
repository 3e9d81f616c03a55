// What is not true must not be provable: the guards and the premises contradict nothing.
// witness.dfy shows the same from the other side.
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

// The induction needs its hypothesis, and the invariants leave room.
lemma AnyBlockKeeps(s: State)
  requires Total(s) && CanBlock(s)
  ensures Inv(Block(s))
{}

lemma NobodyIsPinned(s: State)
  requires Inv(s)
  ensures s.pins == []
{}
