// The actions of scheduler.pml that the executing context plays.
include "machine.dfy"

// Not between Arm and Block or Disarm (I13), and not in a call that nests.
predicate CanYield(s: State) requires Total(s) { (Plain(s) || (Bug == 18 && Runs(s))) && (!InCall(s, s.cur.v) || Bug == 36) }
function Yield(s: State): State requires Total(s) && Runs(s) {
  var f := s.cur.v;
  s.(ctx := s.ctx[f := To(s.ctx[f], Runnable)], ready := s.ready + [f], cur := None)
}

predicate CanExit(s: State) requires Total(s) { Plain(s) && s.fib[s.cur.v].depth == 0 }
function Exit(s: State): State requires Total(s) && Runs(s) {
  if Bug == 29 && |s.pins| > 0 then s.(cur := None) else Bury(s, s.cur.v).(cur := None)
}

// Whose calls nest is refused while as many are pinned as may be.
predicate CanAcquire(s: State, t: Slot) requires Total(s) {
  (Plain(s) || (Bug == 10 && Runs(s))) && !Unwinds(s.fib[s.cur.v]) && t.T? && CanLive(s, t) &&
  (s.fib[s.cur.v].nests && Bug != 102 ==> |s.pins| < Deepest())
}
function Acquire(s: State, t: Slot): State requires Total(s) && Runs(s) {
  var f := s.cur.v; var d := s.fib[f].depth;
  s.(ctx := s.ctx[t := s.ctx[t].(st := Running, root := f, place := d)],
     fib := s.fib[f := s.fib[f].(depth := d + 1)], chain := s.chain[Place(f, d) := t])
}

predicate CanRelease(s: State) requires Total(s) { Plain(s) && s.fib[s.cur.v].depth > 0 }
function Release(s: State): State requires Total(s) && CanRelease(s) {
  var f := s.cur.v; var t := Exec(s);
  s.(ctx := s.ctx[t := Corpse(s.ctx[t])], fib := s.fib[f := s.fib[f].(depth := s.fib[f].depth - 1)])
}

// A deadline is that of one wait: equal times are told apart by their order.
predicate Fresh(s: State, at: Opt<nat>) requires Total(s) {
  at.Some? ==> (forall c :: s.ctx[c].due != at && s.fib[c].grace != at)
}
// A ticket with a number that never was goes out.
function Prepare(s: State, why: Why, at: Opt<nat>): State requires Total(s) && Runs(s) ensures Total(Prepare(s, why, at)) {
  var c := Exec(s); var x := s.ctx[c]; var n := if Bug == 101 then s.last else s.last + 1;
  s.(ctx := s.ctx[c := x.(latch := Armed, wait := Some(Wait(n, why)), due := at)],
     last := n, out := s.out + iset{Ticket(c, x.gen, n)})
}
predicate CanArmQueue(s: State, at: Opt<nat>) requires Total(s) { Plain(s) && Fresh(s, at) }
function ArmQueue(s: State, at: Opt<nat>): State requires Total(s) && Runs(s) { Prepare(s, Queue, at) }

predicate CanArmTimer(s: State, at: Opt<nat>) requires Total(s) { Plain(s) && at.Some? && Fresh(s, at) }
function ArmTimer(s: State, at: Opt<nat>): State requires Total(s) && Runs(s) { Prepare(s, Timer, at) }

// A regular fiber only, for a token of its own. One that is done already ends the wait at
// once; then no deadline is begun, and the ticket that goes out is spent.
predicate CanArmIO(s: State, k: nat, at: Opt<nat>) requires Total(s) {
  Plain(s) && (s.fib[s.cur.v].depth == 0 || Bug == 7) && s.tok[k].owner == s.cur && Fresh(s, at)
}
function ArmIO(s: State, k: nat, at: Opt<nat>): State requires Total(s) && Runs(s) {
  var c := Exec(s); var p := Prepare(s, IO(k), at);
  if s.tok[k].st == Done then p.(ctx := p.ctx[c := Over(s.ctx[c]).(latch := Latched)], tok := s.tok[k := Ended()])
  else p.(tok := s.tok[k := s.tok[k].(waiter := Some(c))])
}

// The wait is taken back, or its result is. A token is in flight again, awaited by nobody.
predicate CanDisarm(s: State) requires Total(s) { Runs(s) && s.ctx[Exec(s)].latch != Unarmed }
function Disarm(s: State): State requires Total(s) && Runs(s) {
  var c := Exec(s); var w := s.ctx[c].wait;
  s.(ctx := s.ctx[c := Over(s.ctx[c])],
     tok := if w.Some? && w.v.why.IO? then s.tok[w.v.why.k := s.tok[w.v.why.k].(waiter := None)] else s.tok)
}

predicate CanBlock(s: State) requires Total(s) { Runs(s) && s.ctx[Exec(s)].latch != Unarmed }
function BlockAnswer(s: State): Told requires Total(s) && Runs(s) {
  var c := Exec(s); var f := s.fib[s.cur.v];
  if s.ctx[c].latch == Latched && Bug != 16 then (if c.T? then Resumed else Requeued)
  else if Unwinds(f) then Killed
  else if f.cancel == Pending && !Masked(f) then Cancelled
  else if InCall(s, s.cur.v) then Pinned
  else Parked
}
function Block(s: State): State requires Total(s) && CanBlock(s) {
  var c := Exec(s); var f := s.cur.v; var x := s.ctx[c];
  var answer := BlockAnswer(s);
  if answer == Resumed then s.(ctx := s.ctx[c := x.(latch := Unarmed)])
  else if answer == Requeued then
    s.(ctx := s.ctx[c := x.(latch := Unarmed, st := Runnable)], ready := s.ready + [f], cur := None)
  else if answer == Killed then EndWait(s, c)
  else if answer == Cancelled then var e := EndWait(s, c); e.(fib := s.fib[f := s.fib[f].(cancel := Taken)])
  else if answer == Pinned && Bug != 37 then Pin(s.(ctx := s.ctx[c := Committed(x, On(x))]))
  else Park(s)
}
function Committed(x: Context, on: Status): Context { x.(st := on, latch := Unarmed) }

// For what the context blocks is the reason of the wait it prepared.
function On(x: Context): Status {
  if x.wait.None? || x.wait.v.why == Queue then BlkQ else if x.wait.v.why == Timer then BlkT else BlkIO
}
// The current chain stays where it is, under a pump. Nobody is current.
function Pin(s: State): State requires Total(s) && Runs(s) { s.(pins := s.pins + [s.cur.v], cur := None) }

// The top blocks on what it armed, every caller below it on its callee.
function Park(s: State): State requires Total(s) && Runs(s) ensures Total(Park(s)) {
  var c := Exec(s); var f := s.cur.v;
  s.(ctx := Put(s, f, c, On(s.ctx[c])), cur := if Bug == 2 then s.cur else None)
}
function Put(s: State, f: Slot, c: Slot, on: Status): imap<Slot, Context> requires Total(s) {
  imap d: Slot | true :: if d == c then Committed(s.ctx[d], on)
                         else if d == f || Above(s, f, d) then To(s.ctx[d], BlkQ) else s.ctx[d]
}

// The operation belongs to the root, also when a trampoline submits it.
predicate CanIoSubmit(s: State, k: nat) requires Total(s) { Runs(s) && !Unwinds(s.fib[s.cur.v]) && s.tok[k].st == Free }
function IoSubmit(s: State, k: nat): State requires Total(s) && Runs(s) {
  s.(tok := s.tok[k := Token(InFlight, s.cur, None, true)])
}

// What a fiber does about its own cancellation, with a wait prepared too.
predicate CanMask(s: State) { Runs(s) }
function Mask(s: State): State requires Total(s) && Runs(s) {
  var f := s.fib[s.cur.v]; s.(fib := s.fib[s.cur.v := f.(masks := f.masks + 1)])
}
predicate CanUnmask(s: State) requires Total(s) { Runs(s) && Masked(s.fib[s.cur.v]) }
function Unmask(s: State): State requires Total(s) && CanUnmask(s) {
  var f := s.fib[s.cur.v]; s.(fib := s.fib[s.cur.v := f.(masks := f.masks - 1)])
}
predicate CanInterrupted(s: State) { Runs(s) }
function InterruptedAnswer(s: State): Told requires Total(s) && Runs(s) {
  var f := s.fib[s.cur.v];
  if Unwinds(f) then Killed else if f.cancel == Pending && !Masked(f) then Cancelled else Nothing
}
function Interrupted(s: State): State requires Total(s) && Runs(s) {
  if InterruptedAnswer(s) == Cancelled && Bug != 25 then s.(fib := s.fib[s.cur.v := s.fib[s.cur.v].(cancel := Taken)]) else s
}
