// The actions of nest.pml: a call of a fiber that nests waits under a pump, pinned, while
// others run above it. Between slices of the pump nobody is current. (That a Block pins is in
// slice.dfy, that a wake leaves the pinned where they are in machine.dfy.)
include "slice.dfy"

// The innermost call, and whether it may go on.
function Inner(s: State): Slot requires |s.pins| > 0 { s.pins[|s.pins| - 1] }
predicate GoesOn(s: State) requires Total(s) { |s.pins| > 0 && s.ctx[Top(s, Inner(s))].st == Running }
// A call further down may go on, and lies buried under the innermost.
predicate Buried(s: State) requires Total(s) {
  exists i :: 0 <= i < |s.pins| - 1 && s.ctx[Top(s, s.pins[i])].st == Running
}

// The slice of a fiber that nests is used up inside a call: the others have a turn.
predicate CanYieldPinned(s: State) requires Total(s) { Plain(s) && InCall(s, s.cur.v) }
function YieldPinned(s: State): State requires Total(s) && Runs(s) { Pin(s) }

// The pump ends: its call may go on, its chain is mounted again, as it was.
predicate CanUnpin(s: State) requires Total(s) { !Runs(s) && GoesOn(s) }
function Unpin(s: State): State requires Total(s) && CanUnpin(s) {
  s.(cur := if Bug == 28 then None else Some(Inner(s)), pins := if Bug == 32 then s.pins else s.pins[..|s.pins| - 1])
}

// Something from outside is sure to come: a deadline, the end of a grace period, an operation
// that is awaited, of whichever fiber.
predicate Hope(s: State) requires Total(s) {
  (exists c :: s.ctx[c].due.Some?) || (exists f: Slot :: f.R? && s.fib[f].grace.Some?) ||
  (Bug != 31 && exists k: nat :: s.tok[k].waiter.Some?)
}
// The wait that is pumped for ends with a Fatal panic, because nothing else can end it.
predicate CanFailPinned(s: State) requires Total(s) {
  !Runs(s) && |s.pins| > 0 && !GoesOn(s) && |s.ready| == 0 && !Hope(s) && (Bug != 30 || !Buried(s))
}
function Verdict(s: State): Told requires Total(s) { if Buried(s) && Bug != 33 then StackInversion else Deadlock }
function FailPinned(s: State): State requires Total(s) && CanFailPinned(s) {
  var f := if Bug == 34 then s.pins[0] else Inner(s); var top := Top(s, f);
  var w := if Blocked(s.ctx[top].st) then Wake(s, top) else s;
  w.(fib := w.fib[f := w.fib[f].(fatal := true)])
}
