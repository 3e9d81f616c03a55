// The theorems, after any number of actions, for any number of fibers, trampolines, tokens,
// tickets, deadlines, pinned calls and lives of a slot: every invariant of the scheduler's state
// holds, what is spent is refused and changes nothing (I3, I5), and the retired stay so.
//
//   proof/state.dfy       the state of scheduler.pml without its bounds
//   proof/machine.dfy     its actions that need no current fiber, and the parts of all
//   proof/slice.dfy       its actions of the executing context
//   proof/pump.dfy        those of nest.pml
//   proof/stale.dfy       what spends a ticket, and that a spent one is refused
//   proof/later.dfy       that every action leaves spent what is
//   proof/invariants.dfy  I1, I2, I4, I5, I8, I9 (its safe half), I10, I12, I13
//   proof/keeps.dfy       that the actions of machine.dfy keep them
//   proof/slices.dfy      that those of slice.dfy do
//   proof/pumps.dfy       that those of pump.dfy do
//   proof/reach.dfy       so they hold in every state that can be reached
//   proof/fifo.dfy        I11 of the ready queue: nobody overtakes
//   proof/steps.dfy       what single actions promise; that verdicts are exact
//   proof/canary.dfy      what must not be provable
//
// Every action of the model is in it: Spawn, Next, Yield, Exit, Acquire, Release, the three Arms,
// Disarm, Block, Deliver, WakeID, I/O submitted, done early, done late and abandoned, Cancel with
// and without grace, Kill, Mask, Unmask, Interrupted, deadlines and the end of grace periods,
// YieldPinned, Unpin and FailPinned.
//
// Not covered: liveness, the rest of I9, is checked at the models' bounds. The rest is no state
// of the scheduler: I6 and I7 are of panics, I11 and the values of I12 of the waiting objects.
include "proof/later.dfy"
include "proof/fifo.dfy"
include "proof/steps.dfy"

// Every invariant in every state that can be reached.
lemma HoldsInEveryState(states: seq<State>, actions: seq<Action>)
  requires Played(states, actions)
  ensures forall i :: 0 <= i < |states| ==> Inv(states[i])
{
  forall i | 0 <= i < |states| ensures Inv(states[i]) { HoldsForEver(states, actions, i); }
}

// Each state is later than the one before it.
lemma DoIsLater(s: State, a: Action)
  requires Inv(s) && Can(s, a)
  ensures Later(s, Do(s, a))
{
  match a
  case DoSpawn(f, frames, nests) => SpawnIsLater(s, f, frames, nests);
  case DoNext => NextIsLater(s);
  case DoWakeID(c) => WakeIDIsLater(s, c);
  case DoDeliver(u) => DeliverKeeps(s, u); DeliverIsLater(s, u);
  case DoIoDone(k) => IoDoneKeeps(s, k); IoDoneIsLater(s, k);
  case DoExpire(c) => ExpireKeeps(s, c); ExpireIsLater(s, c);
  case DoEndGrace(f) => EndGraceIsLater(s, f);
  case DoCancel(c, grace) => CancelIsLater(s, c, grace);
  case DoKill(c) => KillRootIsLater(s, Root(s, c));
  case DoYield => YieldIsLater(s);
  case DoExit => ExitIsLater(s);
  case DoAcquire(t) => AcquireIsLater(s, t);
  case DoRelease => ReleaseIsLater(s);
  case DoArmQueue(at) => ArmQueueIsLater(s, at);
  case DoArmTimer(at) => ArmTimerIsLater(s, at);
  case DoArmIO(k, at) => ArmIOIsLater(s, k, at);
  case DoDisarm => DisarmIsLater(s);
  case DoBlock => BlockIsLater(s);
  case DoIoSubmit(k) => IoSubmitIsLater(s, k);
  case DoMask => MaskIsLater(s);
  case DoUnmask => UnmaskIsLater(s);
  case DoInterrupted => InterruptedIsLater(s);
  case DoYieldPinned => YieldPinnedIsLater(s);
  case DoUnpin => UnpinIsLater(s);
  case DoFailPinned => FailPinnedIsLater(s);
}

// A ticket that was given out is that of the current wait, or spent; and once spent, it is
// refused in every later state, whoever lives in the slot then, and changes nothing.
lemma LiveOrSpent(s: State, u: Ticket)
  requires Inv(s) && u in s.out
  ensures Spent(s, u) || (s.ctx[u.c].gen == u.gen && s.ctx[u.c].wait.Some? && s.ctx[u.c].wait.v.num == u.num)
{}
lemma SpentForEver(states: seq<State>, actions: seq<Action>, i: nat, j: nat, u: Ticket)
  requires Played(states, actions) && i <= j < |states| && Total(states[i]) && Spent(states[i], u)
  ensures Total(states[j]) && Spent(states[j], u) && Seen(Deliver(states[j], u)) == Seen(states[j])
  decreases j
{
  HoldsForEver(states, actions, j);
  if i < j {
    SpentForEver(states, actions, i, j - 1, u); HoldsForEver(states, actions, j - 1);
    DoIsLater(states[j-1], actions[j-1]); SpentStays(states[j-1], states[j], u);
  }
  SpentIsRefused(states[j], u);
}

// I5: a slot whose lives are over stays dead.
lemma RetiredForEver(states: seq<State>, actions: seq<Action>, i: nat, j: nat, c: Slot)
  requires Played(states, actions) && i <= j < |states| && Total(states[i]) && states[i].ctx[c].gen == Lives()
  ensures Total(states[j]) && states[j].ctx[c].st == Dead && states[j].ctx[c].gen == Lives()
  decreases j
{
  HoldsForEver(states, actions, j); assert At(c);
  if i < j {
    RetiredForEver(states, actions, i, j - 1, c); HoldsForEver(states, actions, j - 1);
    DoIsLater(states[j-1], actions[j-1]);
  }
}
