// What holds in every state that can be reached: the numbers are those of DESIGN 2.3, and the
// text is that of invariants.pml, without bounds. I3 is the precondition of Resume.
include "state.dfy"

// These invariants are of a machine on which nobody acquires a trampoline.
predicate Flat(s: State) requires Total(s) {
  (forall f: Slot :: s.fib[f].depth == 0) && (forall t: Slot :: t.T? ==> s.ctx[t].st == Dead)
}

// I1: the ready queue holds exactly the Runnable fibers, each once.
predicate I1(s: State) requires Total(s) {
  (forall c :: c in s.ready <==> s.ctx[c].st == Runnable) &&
  (forall i, j :: 0 <= i < j < |s.ready| ==> s.ready[i] != s.ready[j])
}

// I2: current and Running are the same.
predicate I2(s: State) requires Total(s) {
  (s.cur.Some? ==> s.cur.v.R?) && (forall c: Slot :: s.cur == Some(c) <==> s.ctx[c].st == Running)
}

// I5: the ticket of a wait was armed in this life; tickets of the dead pass for none of the
//     next life.
predicate I5(s: State) requires Total(s) {
  (forall u :: u in s.out ==> u.num <= s.last && u.gen <= s.ctx[u.c].gen) &&
  (forall u :: u in s.out && s.ctx[u.c].st == Dead ==> u.gen < s.ctx[u.c].gen) &&
  (forall c :: s.ctx[c].wait.Some? ==> s.ctx[c].wait.v.num <= s.last)
}

// I8: the waiter map holds regular fibers only.
predicate I8(s: State) requires Total(s) {
  forall k: nat :: s.tok[k].waiter.Some? ==> s.tok[k].waiter.v.R?
}

// I9, its safe half: who has to unwind does not sleep; who waits has a ticket, and somebody
//     has that ticket; who waits for a deadline only has one.
predicate I9(s: State) requires Total(s) {
  (forall f: Slot :: Blocked(s.ctx[f].st) ==>
    !s.fib[f].doomed && (s.fib[f].cancel == Pending ==> Masked(s.fib[f]))) &&
  (forall c :: Waits(s.ctx[c]) ==> s.ctx[c].wait.Some?) &&
  (forall c :: s.ctx[c].wait.Some? ==> Ticket(c, s.ctx[c].gen, s.ctx[c].wait.v.num) in s.out) &&
  (forall c :: s.ctx[c].wait.Some? && s.ctx[c].wait.v.why == Timer ==> s.ctx[c].due.Some?)
}
predicate Waits(x: Context) { x.latch == Armed || Blocked(x.st) }

// I10: who does not wait has no wait, no deadline and no entry in the waiter map; the status
//      says for what it waits; nothing is left of the dead.
predicate I10(s: State) requires Total(s) {
  (forall c :: s.ctx[c].wait.Some? ==> Waits(s.ctx[c])) &&
  (forall c :: s.ctx[c].due.Some? ==> s.ctx[c].wait.Some?) &&
  (forall k: nat :: s.tok[k].waiter.Some? ==> Awaits(s.ctx[s.tok[k].waiter.v], k)) &&
  (forall c :: AwaitsIO(s.ctx[c]) ==> s.tok[s.ctx[c].wait.v.why.k].waiter == Some(c)) &&
  (forall c :: s.ctx[c].wait.Some? && Blocked(s.ctx[c].st) ==> s.ctx[c].st == Says(s.ctx[c].wait.v.why)) &&
  (forall f: Slot :: f.R? && s.ctx[f].st == Dead ==> s.fib[f] == Nobody()) &&
  (forall f: Slot :: f.R? && s.fib[f].grace.Some? ==> s.fib[f].cancel != Calm)
}
predicate AwaitsIO(x: Context) { x.wait.Some? && x.wait.v.why.IO? }
predicate Awaits(x: Context, k: nat) { AwaitsIO(x) && x.wait.v.why.k == k }
function Says(why: Why): Status { if why == Queue then BlkQ else if why == Timer then BlkT else BlkIO }

// I12: a token in flight or done has one owner, alive, and others have none; the device has
//      exactly the operations that are in flight or orphans; only its owner awaits a token.
predicate I12(s: State) requires Total(s) {
  (forall k: nat :: s.tok[k].owner.Some? <==> s.tok[k].st == InFlight || s.tok[k].st == Done) &&
  (forall k: nat :: s.tok[k].owner.Some? ==> s.tok[k].owner.v.R? && s.ctx[s.tok[k].owner.v].st != Dead) &&
  (forall k: nat :: s.tok[k].dev <==> s.tok[k].st == InFlight || s.tok[k].st == Orphan) &&
  (forall k: nat :: s.tok[k].waiter.Some? ==> s.tok[k].st == InFlight && s.tok[k].owner == s.tok[k].waiter)
}

// I13: only the executing context has a wait prepared.
predicate I13(s: State) requires Total(s) {
  forall c :: s.ctx[c].latch != Unarmed ==> s.cur == Some(c)
}

predicate Inv(s: State) {
  Total(s) && Flat(s) && I1(s) && I2(s) && I5(s) && I8(s) && I9(s) && I10(s) && I12(s) && I13(s)
}
