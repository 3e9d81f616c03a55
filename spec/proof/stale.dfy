// A stale delivery is a no-op (I3, I5), for any number of everything, and for any ticket: in
// circulation, of the dead, of an older wait, never given out.
include "machine.dfy"

// What the scheduler can see of a state; which tickets circulate is the world outside.
function Seen(s: State): State { s.(out := iset{}) }

// Refused, whatever the answer: nothing that the scheduler can see has changed.
lemma RefusedIsNoOp(s: State, t: Ticket)
  requires Total(s)
  requires Answer(s, t) == Gone || Answer(s, t) == Stale || Answer(s, t) == WrongSource
  ensures Seen(Deliver(s, t)) == Seen(s)
{}

// A ticket that was given out and can wake nobody: of an earlier life of its slot, or of a wait
// that is over.
predicate Spent(s: State, u: Ticket) requires Total(s) {
  u.num <= s.last && u.gen <= s.ctx[u.c].gen &&
  (u.gen < s.ctx[u.c].gen || s.ctx[u.c].wait == None || s.ctx[u.c].wait.v.num != u.num)
}

// I3, I5: whoever lives in the slot now, and whatever it waits for.
lemma SpentIsRefused(s: State, u: Ticket)
  requires Total(s) && Spent(s, u)
  ensures Answer(s, u) == Gone || Answer(s, u) == Stale
  ensures Seen(Deliver(s, u)) == Seen(s)
{}

// A ticket is good for one wake.
lemma UsedIsSpent(s: State, u: Ticket)
  requires Total(s) && u.num <= s.last && (Answer(s, u) == WokeArmed || Answer(s, u) == Woken)
  requires Answer(s, u) == Woken ==> Blocked(s.ctx[u.c].st)
  ensures Total(Deliver(s, u)) && Spent(Deliver(s, u), u)
{}

// I10: when a wait ends otherwise, its ticket is spent.
lemma OverIsSpent(s: State, c: Slot, u: Ticket)
  requires Total(s) && u.c == c && u.num <= s.last && u.gen <= s.ctx[c].gen
  ensures Spent(EndWait(s, c), u)
{}

// I5: a death spends every ticket of that life.
lemma DeathSpends(s: State, f: Slot, u: Ticket)
  requires Total(s) && u.c == f && u.num <= s.last && u.gen <= s.ctx[f].gen
  ensures u.gen < Bury(s, f).ctx[f].gen
{}

// I5: a deadline that is waited for alone is nobody else's to end.
lemma TimerIsRefused(s: State, u: Ticket)
  requires Total(s) && s.ctx[u.c].wait.Some? && s.ctx[u.c].wait.v.why == Timer
  ensures Answer(s, u) == Gone || Answer(s, u) == Stale || Answer(s, u) == WrongSource
{}
