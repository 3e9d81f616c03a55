// The actions of scheduler.pml that need no current fiber, and the parts of all actions.
// CanX is the guard of X; when it does not hold the call is refused and changes nothing.
include "bug.dfy"
include "state.dfy"

datatype Told = Nothing | Gone | Stale | WrongSource | WokeArmed | Woken | Late | Early
              | Resumed | Requeued | Killed | Cancelled | Parked | Pinned | Deadlock | StackInversion

// ---- parts ---------------------------------------------------------------------------

// A token leaves its owner: ended, or abandoned to its completion.
function Ended(): Token { Token(Free, None, None, false) }
function Abandoned(): Token { Token(Orphan, None, None, true) }

function To(x: Context, st: Status): Context { x.(st := st) }

// c's wait, armed or blocked, is over: its ticket is spent, though it may still circulate.
function Over(x: Context): Context {
  x.(wait := None, due := if Bug == 19 then x.due else None, latch := Unarmed)
}
// It ends otherwise than by what it waited for, so its token is abandoned.
function EndWait(s: State, c: Slot): State requires Total(s) ensures Total(EndWait(s, c)) {
  var x := s.ctx[c];
  s.(ctx := s.ctx[c := Over(x)],
     tok := if x.wait.Some? && x.wait.v.why.IO? && Bug != 8 then s.tok[x.wait.v.why.k := Abandoned()] else s.tok)
}

// I3: what resumes is blocked. The chain whose top is c runs again: its trampolines are Running
// at once, its root goes to the back of the ready queue. The callers of a pinned one run
// already, and the pump takes it up.
function Resume(s: State, c: Slot): State
  requires Total(s)
  requires Blocked(s.ctx[c].st) || Bug == 3
  ensures Total(Resume(s, c))
{
  var f := Root(s, c);
  if Bug == 4 && c.T? then s.(ctx := s.ctx[c := To(s.ctx[c], Runnable)], ready := s.ready + [c])
  else if f in s.pins && Bug != 35 then s.(ctx := s.ctx[c := To(s.ctx[c], Running)])
  else s.(ctx := Carried(s, f, c), ready := s.ready + [f])
}
function Carried(s: State, f: Slot, top: Slot): imap<Slot, Context> requires Total(s) {
  imap c: Slot | true :: if c == f then To(s.ctx[c], Runnable)
                         else if Above(s, f, c) && (Bug != 17 || c == top) then To(s.ctx[c], Running) else s.ctx[c]
}
function Wake(s: State, c: Slot): State requires Total(s) && (Blocked(s.ctx[c].st) || Bug == 3) ensures Total(Wake(s, c)) {
  Resume(EndWait(s, c), c)
}

// c's wait ends while c still runs; its Block cannot lose that.
function LatchIt(s: State, c: Slot): State requires Total(s) ensures Total(LatchIt(s, c)) {
  if Bug == 11 then s else s.(ctx := s.ctx[c := Over(s.ctx[c]).(latch := Latched)])
}

// The life in a slot ends, and with it the generation of its tickets.
function Corpse(x: Context): Context { Over(x).(st := Dead, gen := if Bug == 6 then x.gen else x.gen + 1) }

// Regular fiber f dies: its tokens are abandoned if in flight, dropped if done.
function Bury(s: State, f: Slot): State requires Total(s) ensures Total(Bury(s, f)) {
  s.(ctx := s.ctx[f := Corpse(s.ctx[f])],
     fib := s.fib[f := if Bug == 26 then Nobody().(grace := s.fib[f].grace) else Nobody()],
     tok := Disowned(s, f))
}
function Disowned(s: State, f: Slot): imap<nat, Token> requires Total(s) {
  imap k: nat | true :: if s.tok[k].owner != Some(f) then s.tok[k]
                        else if s.tok[k].st != InFlight then Ended()
                        else if Bug == 9 then Token(Free, None, None, true) else Abandoned()
}

// Heads of the ready queue that are doomed and have nothing to unwind die unmounted.
predicate Reapable(s: State) requires Total(s) {
  |s.ready| > 0 && s.fib[s.ready[0]].doomed && Frameless(s, s.ready[0])
}
function Reap(s: State): State requires Total(s) && Reapable(s) ensures Total(Reap(s)) {
  Bury(s, s.ready[0]).(ready := s.ready[1..])
}
function ReapHeads(s: State): State requires Total(s) ensures Total(ReapHeads(s)) decreases |s.ready| {
  if Reapable(s) then ReapHeads(Reap(s)) else s
}

// ---- actions -------------------------------------------------------------------------

// A slot whose lives are over is retired.
predicate CanLive(s: State, c: Slot) requires Total(s) { s.ctx[c].st == Dead && (s.ctx[c].gen < Lives() || Bug == 38) }

predicate CanSpawn(s: State, f: Slot) requires Total(s) { f.R? && CanLive(s, f) }
function Spawn(s: State, f: Slot, frames: bool, nests: bool): State requires Total(s) {
  s.(ctx := s.ctx[f := To(s.ctx[f], Runnable)], fib := s.fib[f := Nobody().(frames := frames, nests := nests)],
     ready := s.ready + [f])
}

// Mounts nobody if all the fibers that are ready are reaped.
predicate CanNext(s: State) { s.cur == None && |s.ready| > 0 }
function Next(s: State): State requires Total(s) { Mount(ReapHeads(s)) }
function Mount(s: State): State requires Total(s) {
  if |s.ready| == 0 then s
  else var i := if Bug == 13 then |s.ready| - 1 else 0;
  var f := s.ready[i];
  s.(ctx := s.ctx[f := s.ctx[f].(st := Running)], ready := s.ready[..i] + s.ready[i+1..], cur := Some(f))
}

predicate CanWakeID(s: State, c: Slot) requires Total(s) {
  (Blocked(s.ctx[c].st) && s.ctx[c].wait.Some?) || (Bug == 3 && s.ctx[c].st == Runnable && c.R?)
}
function WakeID(s: State, c: Slot): State requires Total(s) && CanWakeID(s, c) { Wake(s, c) }

// The first that applies. Only the last two change anything that the scheduler can see.
function Answer(s: State, t: Ticket): Told requires Total(s) {
  var x := s.ctx[t.c];
  if x.gen != t.gen then Gone
  else if x.wait == None || (x.wait.v.num != t.num && Bug != 5) then Stale
  else if x.wait.v.why.IO? || (x.wait.v.why == Timer && Bug != 20) then WrongSource
  else if x.latch == Armed then WokeArmed
  else Woken
}
// Somebody uses a ticket; it need not be in circulation, so it may be forged. A used ticket
// circulates no more; that of an IO or Timer wait stays.
function Deliver(s: State, t: Ticket): State
  requires Total(s)
  requires Answer(s, t) == Woken ==> Blocked(s.ctx[t.c].st)
{
  var used := s.(out := s.out - iset{t});
  var answer := Answer(s, t);
  if answer == WokeArmed then LatchIt(used, t.c)
  else if answer == Woken then Wake(used, t.c)
  else if answer == WrongSource then s
  else used
}

// The one terminal completion of operation k.
predicate CanIoDone(s: State, k: nat) requires Total(s) { s.tok[k].dev }
function IoAnswer(s: State, k: nat): Told requires Total(s) {
  if s.tok[k].st == Orphan then Late
  else if s.tok[k].waiter == None then Early
  else if s.ctx[s.tok[k].waiter.v].latch == Armed then WokeArmed
  else Woken
}
function IoDone(s: State, k: nat): State
  requires Total(s)
  requires IoAnswer(s, k) == Woken ==> Blocked(s.ctx[s.tok[k].waiter.v].st)
{
  var over := s.(tok := s.tok[k := Ended()]);
  var answer := IoAnswer(s, k);
  if answer == Late then over
  else if answer == Early then s.(tok := s.tok[k := s.tok[k].(st := if Bug == 12 then InFlight else Done, dev := false)])
  else if answer == WokeArmed then LatchIt(over, s.tok[k].waiter.v)
  else var f := s.tok[k].waiter.v; Resume(over.(ctx := s.ctx[f := Over(s.ctx[f])]), f)
}

// A deadline that is live, of a wait or of a grace period, and none comes before it.
predicate Earliest(s: State, at: nat) requires Total(s) {
  (forall c :: s.ctx[c].due.Some? ==> at <= s.ctx[c].due.v) &&
  (forall f: Slot :: f.R? && s.fib[f].grace.Some? ==> at <= s.fib[f].grace.v)
}
// Time passes between slices only. The wait of c ends by its deadline.
predicate CanExpire(s: State, c: Slot) requires Total(s) {
  !Runs(s) && s.ctx[c].due.Some? && (Earliest(s, s.ctx[c].due.v) || Bug == 22)
}
function Expire(s: State, c: Slot): State requires Total(s) && Blocked(s.ctx[c].st) {
  ReapHeads(if Bug == 21 then s.(ctx := s.ctx[c := s.ctx[c].(due := None)]) else Wake(s, c))
}
// The grace period of f is over: it is killed.
predicate CanEndGrace(s: State, f: Slot) requires Total(s) {
  f.R? && !Runs(s) && s.fib[f].grace.Some? && Earliest(s, s.fib[f].grace.v)
}
function EndGrace(s: State, f: Slot): State requires Total(s) {
  ReapHeads(if Bug == 27 then NoGrace(s, f) else KillRoot(NoGrace(s, f), f))
}
function NoGrace(s: State, f: Slot): State requires Total(s) ensures Total(NoGrace(s, f)) {
  s.(fib := s.fib[f := s.fib[f].(grace := None)])
}

// Acts on the chain that c is a member of: the wait of its top ends. grace is when the fiber
// will be killed, if ever.
predicate CanCancel(s: State, c: Slot) requires Total(s) { s.ctx[c].st != Dead }
function Cancel(s: State, c: Slot, grace: Opt<nat>): State requires Total(s) {
  var f := Root(s, c); var x := s.fib[f]; var top := Top(s, f);
  if x.doomed || x.cancel != Calm then s
  else if Blocked(s.ctx[top].st) && (!Masked(x) || Bug == 24) && Bug != 14 then
    var w := Wake(s, top); w.(fib := w.fib[f := x.(cancel := Taken, grace := grace)])
  else
    var p := s.(fib := s.fib[f := x.(cancel := Pending, grace := grace)]);
    if Bug == 1 && s.ctx[f].st == Runnable then p.(ready := s.ready + [f]) else p
}

predicate CanKill(s: State, c: Slot) requires Total(s) { s.ctx[c].st != Dead }
function Kill(s: State, c: Slot): State requires Total(s) { KillRoot(s, Root(s, c)) }
function KillRoot(s: State, f: Slot): State requires Total(s) ensures Total(KillRoot(s, f)) {
  var doom := s.fib[f].(doomed := true); var top := Top(s, f);
  if s.fib[f].doomed then s
  else if Blocked(s.ctx[top].st) && Frameless(s, f) then Bury(EndWait(s, f), f)
  else if Blocked(s.ctx[top].st) && Bug != 15 && (Bug != 23 || !Masked(s.fib[f])) then
    var w := Wake(s, top); w.(fib := w.fib[f := doom])
  else s.(fib := s.fib[f := doom])
}
