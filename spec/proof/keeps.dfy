// Every action that needs no current fiber keeps every invariant.
// A lemma names the rules that its action is most likely to break.
include "machine.dfy"
include "invariants.dfy"

// I3: whom a wake ends the wait of is blocked, and the top of its chain. A pinned one goes on
// where it is; another resumes with its whole chain.
lemma WakeKeeps(s: State, c: Slot)
  requires Inv(s) && Sleeps(s, c)
  ensures Inv(Wake(s, c)) && !Blocked(Wake(s, c).ctx[c].st) && Top(Wake(s, c), Root(s, c)) == c
{
  OnlyTop(s, c); TopIs(s, Root(s, c));
  if Root(s, c) in s.pins { WakePinned(s, c); } else { WakeParked(s, c); }
}
lemma WakePinned(s: State, c: Slot)
  requires Inv(s) && Sleeps(s, c) && Root(s, c) in s.pins
  ensures Inv(Wake(s, c))
{ OnlyTop(s, c); TopIs(s, Root(s, c)); }
// I1, I10: its root is in the queue once, and awaits nothing more.
lemma WakeParked(s: State, c: Slot)
  requires Inv(s) && Sleeps(s, c) && Root(s, c) !in s.pins
  ensures Inv(Wake(s, c))
{ OnlyTop(s, c); TopIs(s, Root(s, c)); }

// What is in force for a fiber changes: nobody sleeps over what it has to unwind for.
lemma TellKeeps(s: State, f: Slot, x: Fiber)
  requires Inv(s) && f.R? && s.ctx[f].st != Dead && x.nests == s.fib[f].nests && x.depth == s.fib[f].depth
  requires MaySleep(x) || !Blocked(s.ctx[Top(s, f)].st)
  requires x.grace.Some? ==> x.cancel != Calm
  ensures Inv(s.(fib := s.fib[f := x]))
{
  forall c | Sleeps(s, c) && Root(s, c) == f ensures MaySleep(x) { OnlyTop(s, c); }
}

// I1, I5: tickets of the dead before it are of an older generation.
lemma SpawnKeeps(s: State, f: Slot, frames: bool, nests: bool)
  requires Inv(s) && CanSpawn(s, f)
  ensures Inv(Spawn(s, f, frames, nests))
{ assert At(f); }

// The first of the queue leaves it.
lemma Tail(q: seq<Slot>)
  requires |q| > 0 && forall i, j :: 0 <= i < j < |q| ==> q[i] != q[j]
  ensures forall i, j :: 0 <= i < j < |q[1..]| ==> q[1..][i] != q[1..][j]
  ensures forall c :: c in q[1..] <==> c in q && c != q[0]
{ assert q == [q[0]] + q[1..]; }

// I1, I2
lemma MountKeeps(s: State)
  requires Inv(s) && s.cur == None
  ensures Inv(Mount(s))
{
  if |s.ready| > 0 { Tail(s.ready); assert At(s.ready[0]); assert Mount(s).ready == s.ready[1..]; }
}

// I3, I5: only the ticket of the current wait wakes, and it finds its chain blocked.
lemma WokenSleeps(s: State, u: Ticket)
  requires Inv(s) && Answer(s, u) == Woken
  ensures Sleeps(s, u.c)
{ assert At(u.c); }

// I5, I9: only the ticket of the wait that it ends goes out of circulation.
lemma DeliverKeeps(s: State, u: Ticket)
  requires Inv(s)
  ensures Answer(s, u) == Woken ==> Blocked(s.ctx[u.c].st)
  ensures Inv(Deliver(s, u))
{
  assert At(u.c);
  if Answer(s, u) == Woken {
    WakeKeeps(s, u.c);
    var w := Wake(s, u.c);
    assert Deliver(s, u) == w.(out := w.out - iset{u});
    assert w.ctx[u.c].wait == None;
  }
}

// I3, I12: whom a completion resumes is blocked; the device has the operation no more.
lemma IoDoneKeeps(s: State, k: nat)
  requires Inv(s) && CanIoDone(s, k)
  ensures IoAnswer(s, k) == Woken ==> Blocked(s.ctx[s.tok[k].waiter.v].st)
  ensures Inv(IoDone(s, k))
{
  assert OfToken(s, k);
  if s.tok[k].waiter.Some? { assert At(s.tok[k].waiter.v); TopIs(s, s.tok[k].waiter.v); }
}

// I5, I12: as of every death.
lemma ReapKeeps(s: State)
  requires Inv(s) && Reapable(s)
  ensures Inv(Reap(s))
{
  assert At(s.ready[0]); Tail(s.ready);
}

lemma ReapHeadsKeeps(s: State)
  requires Inv(s)
  ensures Inv(ReapHeads(s)) && ReapHeads(s).cur == s.cur
  decreases |s.ready|
{
  if Reapable(s) { ReapKeeps(s); ReapHeadsKeeps(Reap(s)); }
}

lemma NextKeeps(s: State)
  requires Inv(s) && CanNext(s)
  ensures Inv(Next(s))
{
  ReapHeadsKeeps(s); MountKeeps(ReapHeads(s));
}

// I3
lemma WakeIDKeeps(s: State, c: Slot)
  requires Inv(s) && CanWakeID(s, c)
  ensures Inv(WakeID(s, c))
{
  assert At(c); WakeKeeps(s, c);
}

// I9, I10: the deadline goes with the wait, the fiber does not sleep on without one.
lemma ExpireKeeps(s: State, c: Slot)
  requires Inv(s) && CanExpire(s, c)
  ensures Blocked(s.ctx[c].st)
  ensures Inv(Expire(s, c))
{
  assert At(c); WakeKeeps(s, c); ReapHeadsKeeps(Wake(s, c));
}

// I1, I9: the sleeper is woken, who runs or is ready is only told.
lemma CancelKeeps(s: State, c: Slot, grace: Opt<nat>)
  requires Inv(s) && CanCancel(s, c)
  ensures Inv(Cancel(s, c, grace))
{
  assert At(c);
  var f := Root(s, c); var x := s.fib[f]; var top := Top(s, f); TopIs(s, f);
  if !x.doomed && x.cancel == Calm {
    if Blocked(s.ctx[top].st) && !Masked(x) {
      WakeKeeps(s, top);
      TellKeeps(Wake(s, top), f, x.(cancel := Taken, grace := grace));
    } else {
      TellKeeps(s, f, x.(cancel := Pending, grace := grace));
    }
  }
}

// I5, I10, I12. Kill, of something blocked that has nothing to unwind.
lemma DieKeeps(s: State, f: Slot)
  requires Inv(s) && f.R? && Blocked(s.ctx[f].st) && Frameless(s, f)
  ensures Inv(Bury(EndWait(s, f), f))
{ assert At(f); }

// I9: and who has something to unwind wakes to do it.
lemma KillRootKeeps(s: State, f: Slot)
  requires Inv(s) && f.R? && s.ctx[f].st != Dead
  ensures Inv(KillRoot(s, f))
{
  var x := s.fib[f].(doomed := true); var top := Top(s, f); TopIs(s, f);
  if !s.fib[f].doomed {
    if !Blocked(s.ctx[top].st) { TellKeeps(s, f, x); }
    else if Frameless(s, f) { DieKeeps(s, f); }
    else { WakeKeeps(s, top); TellKeeps(Wake(s, top), f, x); }
  }
}

lemma KillKeeps(s: State, c: Slot)
  requires Inv(s) && CanKill(s, c)
  ensures Inv(Kill(s, c))
{
  assert At(c) && At(Root(s, c)); KillRootKeeps(s, Root(s, c));
}

// I9
lemma EndGraceKeeps(s: State, f: Slot)
  requires Inv(s) && CanEndGrace(s, f)
  ensures Inv(EndGrace(s, f))
{
  NoGraceKeeps(s, f); KillRootKeeps(NoGrace(s, f), f); ReapHeadsKeeps(KillRoot(NoGrace(s, f), f));
}
lemma NoGraceKeeps(s: State, f: Slot)
  requires Inv(s) && CanEndGrace(s, f)
  ensures Inv(NoGrace(s, f)) && s.ctx[f].st != Dead
{
  TopIs(s, f); TellKeeps(s, f, s.fib[f].(grace := None));
}
