// Every action that needs no current fiber keeps every invariant (I1, I2, I5, I8–I10, I12, I13).
// A lemma names the rules that its action is most likely to break.
include "machine.dfy"
include "invariants.dfy"

// I1, I10: who resumes is in the queue once, and awaits nothing more.
lemma WakeKeeps(s: State, f: Slot)
  requires Inv(s) && f.R? && Blocked(s.ctx[f].st)
  ensures Inv(Wake(s, f))
{}

// I1, I5: tickets of the dead before it are of an older generation.
lemma SpawnKeeps(s: State, f: Slot, frames: bool)
  requires Inv(s) && CanSpawn(s, f)
  ensures Inv(Spawn(s, f, frames))
{}

// I1, I2
lemma MountKeeps(s: State)
  requires Inv(s) && s.cur == None
  ensures Inv(Mount(s))
{
  if |s.ready| > 0 {
    assert s.ready == [s.ready[0]] + s.ready[1..];
    assert Mount(s).ready == s.ready[1..];
  }
}

// I3, I5: only the ticket of the current wait wakes, and it finds its chain blocked.
lemma WokenIsBlocked(s: State, t: Ticket)
  requires Inv(s) && Answer(s, t) == Woken
  ensures Root(s, t.c).R? && Blocked(s.ctx[Root(s, t.c)].st) && Top(s, Root(s, t.c)) == t.c
{}

// I5, I9: only the ticket of the wait that it ends goes out of circulation.
lemma DeliverKeeps(s: State, t: Ticket)
  requires Inv(s)
  ensures Answer(s, t) == Woken ==> Blocked(s.ctx[Root(s, t.c)].st)
  ensures Inv(Deliver(s, t))
{
  if Answer(s, t) == Woken {
    WokenIsBlocked(s, t);
    WakeKeeps(s, Root(s, t.c));
    var w := Wake(s, Root(s, t.c));
    assert Deliver(s, t) == w.(out := w.out - iset{t});
    assert w.ctx[t.c].wait == None;
  }
}

// I3, I12: whom a completion resumes is blocked; the device has the operation no more.
lemma IoDoneKeeps(s: State, k: nat)
  requires Inv(s) && CanIoDone(s, k)
  ensures IoAnswer(s, k) == Woken ==> Blocked(s.ctx[s.tok[k].waiter.v].st)
  ensures Inv(IoDone(s, k))
{}

// I5, I12: as of every death.
lemma ReapKeeps(s: State)
  requires Inv(s) && Reapable(s)
  ensures Inv(Reap(s))
{
  var t := Reap(s);
  assert s.ready == [s.ready[0]] + s.ready[1..];
  forall k: nat ensures t.tok[k].waiter.Some? ==> t.tok[k] == s.tok[k] && t.tok[k].waiter != Some(s.ready[0]) {}
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
  ensures Blocked(s.ctx[Root(s, c)].st)
  ensures Inv(WakeID(s, c))
{
  WakeKeeps(s, Root(s, c));
}

// I9, I10: the deadline goes with the wait, the fiber does not sleep on without one.
lemma ExpireKeeps(s: State, c: Slot)
  requires Inv(s) && CanExpire(s, c)
  ensures Blocked(s.ctx[Root(s, c)].st)
  ensures Inv(Expire(s, c))
{
  WakeKeeps(s, Root(s, c)); ReapHeadsKeeps(Wake(s, Root(s, c)));
}

// I1, I9: the sleeper is woken, who runs or is ready is only told.
lemma CancelKeeps(s: State, c: Slot, grace: Opt<nat>)
  requires Inv(s) && CanCancel(s, c)
  ensures Inv(Cancel(s, c, grace))
{
  var f := Root(s, c);
  if Blocked(s.ctx[f].st) { WakeKeeps(s, f); }
}

// I5, I10, I12. Kill, of something blocked that has nothing to unwind.
lemma DieKeeps(s: State, f: Slot)
  requires Inv(s) && f.R? && Blocked(s.ctx[f].st) && Frameless(s, f)
  ensures Inv(Bury(EndWait(s, f), f))
{
  var t := Bury(EndWait(s, f), f);
  forall k: nat ensures t.tok[k].waiter.Some? ==> t.tok[k] == s.tok[k] && t.tok[k].waiter != Some(f) {}
}

// I9: and who has something to unwind wakes to do it.
lemma KillRootKeeps(s: State, f: Slot)
  requires Inv(s) && f.R? && s.ctx[f].st != Dead
  ensures Inv(KillRoot(s, f))
{
  if Blocked(s.ctx[f].st) {
    if Frameless(s, f) { DieKeeps(s, f); } else { WakeKeeps(s, f); }
  }
}

lemma KillKeeps(s: State, c: Slot)
  requires Inv(s) && CanKill(s, c)
  ensures Inv(Kill(s, c))
{
  KillRootKeeps(s, Root(s, c));
}

// I9
lemma EndGraceKeeps(s: State, f: Slot)
  requires Inv(s) && CanEndGrace(s, f)
  ensures Inv(EndGrace(s, f))
{
  var off := s.(fib := s.fib[f := s.fib[f].(grace := None)]);
  assert Inv(off);
  KillRootKeeps(off, f); ReapHeadsKeeps(KillRoot(off, f));
}
