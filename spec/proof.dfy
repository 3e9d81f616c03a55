// The theorem, for any number of fibers, trampolines, tokens, tickets and deadlines, after any
// number of actions: what is spent is refused, and changes nothing (I3, I5).
//
//   proof/state.dfy    the state of scheduler.pml without its bounds
//   proof/machine.dfy  its actions that need no current fiber, and the parts of all
//   proof/slice.dfy    its actions of the executing context
//   proof/stale.dfy    what spends a ticket, and that a spent one is refused
//   proof/later.dfy    that every action leaves spent what is
//   proof/canary.dfy   what must not be provable
//
// Not covered: calls that are pinned (nest.pml) and slots that are retired; the other
// invariants, which the models check at their bounds; and what is no state of the scheduler
// (I6 and I7 are of panics, I11 and the values of I12 of the waiting objects).
include "proof/later.dfy"

// A run: each state is later than the one before it, as every action makes it.
predicate Run(states: seq<State>) {
  |states| > 0 && (forall i :: 0 <= i < |states| ==> Total(states[i])) &&
  forall i :: 0 <= i < |states| - 1 ==> Later(states[i], states[i+1])
}

lemma SpentForEver(states: seq<State>, i: nat, u: Ticket)
  requires Run(states) && i < |states| && Spent(states[0], u)
  ensures Spent(states[i], u)
  ensures Seen(Deliver(states[i], u)) == Seen(states[i])
  decreases i
{
  if i > 0 { SpentForEver(states, i - 1, u); SpentStays(states[i-1], states[i], u); }
  SpentIsRefused(states[i], u);
}
