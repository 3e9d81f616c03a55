// The theorems, after any number of actions. For any number of fibers, trampolines, tokens,
// tickets and deadlines: what is spent is refused, and changes nothing (I3, I5). For any number
// of fibers, tokens, tickets and deadlines: the invariants of the scheduler's state hold.
//
//   proof/state.dfy       the state of scheduler.pml without its bounds
//   proof/machine.dfy     its actions that need no current fiber, and the parts of all
//   proof/slice.dfy       its actions of the executing context
//   proof/stale.dfy       what spends a ticket, and that a spent one is refused
//   proof/later.dfy       that every action leaves spent what is
//   proof/invariants.dfy  I1, I2, I5, I8, I9 (its safe half), I10, I12, I13
//   proof/keeps.dfy       that the actions of machine.dfy keep them
//   proof/slices.dfy      that those of slice.dfy do: all but Acquire and Release
//   proof/reach.dfy       so they hold in every state that can be reached
//   proof/chains.dfy      I4, with I1, I8 and what I2 says of roots: that every action keeps them,
//                         Acquire and Release too, if whom it wakes is blocked (I3)
//   proof/canary.dfy      what must not be provable
//
// The induction covers Spawn, Next, Yield, Exit, the three Arms, Disarm, Block, Deliver, WakeID,
// I/O submitted, done early, done late and abandoned, Cancel with and without grace, Kill, Mask,
// Unmask, Interrupted, deadlines and the end of grace periods.
//
// Not covered: with trampolines, I3, I5, I9, I10, I12 and I13 of those who live in a chain, and
// that a chain is Running or Blocked as its root is (I2); by any, calls that are pinned
// (nest.pml) and slots that are retired. Those the models check at their bounds. The rest is no
// state of the scheduler: I6 and I7 are of panics, I11 and the values of I12 of the waiting
// objects.
include "proof/later.dfy"
include "proof/reach.dfy"
include "proof/chains.dfy"

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

// Every invariant in every state that can be reached.
lemma HoldsInEveryState(states: seq<State>, actions: seq<Action>)
  requires Played(states, actions)
  ensures forall i :: 0 <= i < |states| ==> Inv(states[i])
{
  forall i | 0 <= i < |states| ensures Inv(states[i]) { HoldsForEver(states, actions, i); }
}

// The induction of chains.dfy begins where that of reach.dfy does.
lemma FirstHasChains(s: State)
  requires First(s)
  ensures Chains(s)
{}
