// What is not true must not be provable: the guards and the premises contradict nothing.
include "later.dfy"

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
