// What holds in every state that can be reached: the numbers are those of docs/invariants.md, and the
// text is that of invariants.pml and nest.pml, without bounds. I3 is the precondition of Resume.
//
// Each says what must be of one context, place, token or ticket, so that it can be proved of one
// at a time. At marks the contexts and places that the prover is to look at: left alone it would
// look at the root of each, at the root of that, and so on.
include "pump.dfy"

predicate At(c: Slot) { true }
predicate Mark(p: Place) { true }

// The wait of a chain is that of its top: who is below waits for it.
predicate IsTop(s: State, c: Slot) requires Total(s) {
  if c.R? then s.fib[c].depth == 0 else s.ctx[c].place + 1 == s.fib[s.ctx[c].root].depth
}
predicate Sleeps(s: State, c: Slot) requires Total(s) { Blocked(s.ctx[c].st) && IsTop(s, c) }
predicate Waits(s: State, c: Slot) requires Total(s) { s.ctx[c].latch == Armed || Sleeps(s, c) }

// I1: the ready queue holds exactly the Runnable.
predicate I1(s: State, c: Slot) requires Total(s) { c in s.ready <==> s.ctx[c].st == Runnable }

// I2: of regular fibers, Running and current are the same, but for the pinned, whose calls nest;
//     a chain moves with its root: blocked when it is, unless its call is pinned, which waits
//     alone; who waits for the callee above it is Blocked(Queue).
predicate I2(s: State, c: Slot) requires Total(s) {
  var x := s.ctx[c];
  (c.R? ==> (x.st == Running <==> s.cur == Some(c) || c in s.pins)) &&
  (c.R? && c in s.pins ==> InCall(s, c)) && (c.R? && InCall(s, c) ==> x.st == Running) &&
  (c.T? && x.st != Dead && !s.fib[x.root].nests ==> (Blocked(x.st) <==> Blocked(s.ctx[x.root].st))) &&
  (c.T? && Blocked(x.st) && s.fib[x.root].nests ==> IsTop(s, c) && x.root in s.pins) &&
  (Blocked(x.st) && !IsTop(s, c) ==> x.st == BlkQ)
}

// I4: a trampoline is never Runnable, so by I1 never in the ready queue. A living one is in
//     exactly one chain, once; and whatever is in a chain lives.
predicate I4(s: State, c: Slot) requires Total(s) {
  var x := s.ctx[c];
  c.T? ==> x.st != Runnable &&
    (x.st != Dead ==> x.root.R? && x.place < s.fib[x.root].depth && s.chain[Place(x.root, x.place)] == c)
}
predicate I4Of(s: State, p: Place) requires Total(s) {
  p.f.R? && p.i < s.fib[p.f].depth ==> Above(s, p.f, s.chain[p]) && s.ctx[s.chain[p]].place == p.i
}

// I5: the ticket of a wait was armed in this life, of which a slot has no more than it may; a
//     ticket of the dead passes for none of the next life.
predicate I5(s: State, c: Slot) requires Total(s) {
  var x := s.ctx[c];
  (x.wait.Some? ==> x.wait.v.num <= s.last) && x.gen <= Lives() && (x.st != Dead ==> x.gen < Lives())
}
predicate I5Of(s: State, u: Ticket) requires Total(s) {
  u.num <= s.last && u.gen <= s.ctx[u.c].gen && (s.ctx[u.c].st == Dead ==> u.gen < s.ctx[u.c].gen)
}

// I8: a trampoline never waits for I/O, and is not in the waiter map.
predicate I8(s: State, c: Slot) requires Total(s) { c.T? ==> s.ctx[c].st != BlkIO && !AwaitsIO(s.ctx[c]) }
predicate I8Of(s: State, k: nat) requires Total(s) { s.tok[k].waiter.Some? ==> s.tok[k].waiter.v.R? }

// I9, its safe half: who has to unwind does not sleep; who waits has a ticket, and somebody
//     has that ticket; who waits for a deadline only has one.
predicate I9(s: State, c: Slot) requires Total(s) {
  var x := s.ctx[c];
  (Sleeps(s, c) ==> MaySleep(s.fib[Root(s, c)])) &&
  (Waits(s, c) ==> x.wait.Some?) &&
  (x.wait.Some? ==> Ticket(c, x.gen, x.wait.v.num) in s.out) &&
  (x.wait.Some? && x.wait.v.why == Timer ==> x.due.Some?)
}

predicate MaySleep(f: Fiber) { !Unwinds(f) && (f.cancel == Pending ==> Masked(f)) }

// I10: who does not wait has no wait, no deadline and no entry in the waiter map; the status
//      says for what it waits; nothing is left of the dead.
predicate I10(s: State, c: Slot) requires Total(s) {
  var x := s.ctx[c];
  (x.wait.Some? ==> Waits(s, c)) && (x.due.Some? ==> x.wait.Some?) &&
  (AwaitsIO(x) ==> s.tok[x.wait.v.why.k].waiter == Some(c)) &&
  (x.wait.Some? && Blocked(x.st) ==> x.st == Says(x.wait.v.why)) &&
  (c.R? && x.st == Dead ==> s.fib[c] == Nobody()) &&
  (c.R? && s.fib[c].grace.Some? ==> s.fib[c].cancel != Calm)
}
predicate I10Of(s: State, k: nat) requires Total(s) {
  s.tok[k].waiter.Some? ==> AwaitsIO(s.ctx[s.tok[k].waiter.v]) && s.ctx[s.tok[k].waiter.v].wait.v.why.k == k
}
predicate AwaitsIO(x: Context) { x.wait.Some? && x.wait.v.why.IO? }
function Says(why: Why): Status { if why == Queue then BlkQ else if why == Timer then BlkT else BlkIO }

// I12: a token in flight or done has one owner, alive, and others have none; the device has
//      exactly the operations that are in flight or orphans; only its owner awaits a token.
predicate I12(s: State, k: nat) requires Total(s) {
  var y := s.tok[k];
  (y.owner.Some? <==> y.st == InFlight || y.st == Done) &&
  (y.owner.Some? ==> y.owner.v.R? && s.ctx[y.owner.v].st != Dead) &&
  (y.dev <==> y.st == InFlight || y.st == Orphan) &&
  (y.waiter.Some? ==> y.st == InFlight && y.owner == y.waiter)
}

// I13: only the executing context has a wait prepared.
predicate I13(s: State, c: Slot) requires Total(s) {
  s.ctx[c].latch != Unarmed ==> s.cur == Some(Root(s, c)) && IsTop(s, c) && s.ctx[c].st == Running
}

// I1: each is in the ready queue once. I2: who is current is no trampoline and not pinned, each
// is pinned once, and not more are than may be: a call is let in only where it can be pinned.
predicate Order(s: State) requires Total(s) {
  (forall i, j :: 0 <= i < j < |s.ready| ==> s.ready[i] != s.ready[j]) &&
  (forall i, j :: 0 <= i < j < |s.pins| ==> s.pins[i] != s.pins[j]) && (forall r :: r in s.pins ==> r.R?) &&
  (s.cur.Some? ==> s.cur.v.R? && s.cur.v !in s.pins) &&
  |s.pins| + (if s.cur.Some? && InCall(s, s.cur.v) then 1 else 0) <= Deepest()
}

predicate OfContext(s: State, c: Slot) requires Total(s) {
  I1(s, c) && I2(s, c) && I4(s, c) && I5(s, c) && I8(s, c) && I9(s, c) && I10(s, c) && I13(s, c)
}
predicate OfToken(s: State, k: nat) requires Total(s) { I8Of(s, k) && I10Of(s, k) && I12(s, k) }

predicate Inv(s: State) {
  Total(s) && Order(s) &&
  (forall c: Slot {:trigger At(c)} :: At(c) ==> OfContext(s, c)) &&
  (forall p: Place {:trigger Mark(p)} :: Mark(p) ==> I4Of(s, p)) &&
  (forall k: nat {:trigger s.tok[k]} :: OfToken(s, k)) &&
  (forall u: Ticket {:trigger u in s.out} :: u in s.out ==> I5Of(s, u))
}

// What the top of a chain is; that of the current chain executes.
lemma TopIs(s: State, f: Slot)
  requires Inv(s) && f.R?
  ensures Root(s, Top(s, f)) == f && IsTop(s, Top(s, f)) && OfContext(s, Top(s, f)) && OfContext(s, f)
  ensures s.ctx[f].st != Dead ==> s.ctx[Top(s, f)].st != Dead
{
  assert At(f) && At(Top(s, f));
  if s.fib[f].depth > 0 { assert Mark(Place(f, s.fib[f].depth - 1)); }
}
lemma ExecIs(s: State)
  requires Inv(s) && Runs(s)
  ensures Root(s, Exec(s)) == s.cur.v && IsTop(s, Exec(s)) && s.ctx[Exec(s)].st == Running
  ensures OfContext(s, Exec(s)) && OfContext(s, s.cur.v)
{ TopIs(s, s.cur.v); }
// Nobody else of a chain is its top.
lemma OnlyTop(s: State, c: Slot)
  requires Inv(s) && s.ctx[c].st != Dead && IsTop(s, c)
  ensures c == Top(s, Root(s, c)) && Root(s, c).R?
{ assert At(c); }
