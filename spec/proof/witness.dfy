// The induction is about something: a run with a chain that parks and resumes, and one whose
// call is pinned, failed by a verdict and unwinds. The actions say how to get there.
include "reach.dfy"

lemma AChainParksAndResumes(s0: State)
  requires First(s0) && Lives() > 0
{
  FirstHolds(s0);
  var f := R(0); var t := T(0);
  var s1 := Do(s0, DoSpawn(f, true, false));
  var s2 := Do(s1, DoNext);
  var s3 := Do(s2, DoAcquire(t));
  var s4 := Do(s3, DoArmQueue(None));
  var s5 := Do(s4, DoBlock);
  assert s5.cur == None && s5.ctx[f].st == BlkQ && s5.ctx[t].st == BlkQ && Top(s5, f) == t;
  var u := Ticket(t, 0, s0.last + 1);
  assert u in s5.out && Answer(s5, u) == Woken;
  var s6 := Do(s5, DoDeliver(u));
  assert s6.ready == [f] && s6.ctx[t].st == Running && Answer(s6, u) == Stale;
  var s7 := Do(s6, DoNext);
  var s8 := Do(s7, DoRelease);
  var s9 := Do(s8, DoExit);
  assert s9.ctx[f].st == Dead && s9.ctx[f].gen == 1 && s9.ctx[t].st == Dead;
  assert CanSpawn(s9, f) <==> Lives() > 1;
}

lemma ACallIsPinnedAndFailed(s0: State)
  requires First(s0) && Lives() > 0 && Deepest() > 0
{
  FirstHolds(s0);
  var f := R(0); var t := T(0);
  var s1 := Do(s0, DoSpawn(f, false, true));
  var s2 := Do(s1, DoNext);
  var s3 := Do(s2, DoAcquire(t));
  var s4 := Do(s3, DoArmQueue(None));
  var s5 := Do(s4, DoBlock);
  assert s5.pins == [f] && s5.cur == None && s5.ctx[f].st == Running && s5.ctx[t].st == BlkQ;
  assert CanFailPinned(s5) && Verdict(s5) == Deadlock;
  var s6 := Do(s5, DoFailPinned);
  assert GoesOn(s6) && s6.ready == [];
  var s7 := Do(s6, DoUnpin);
  assert s7.cur == Some(f) && InterruptedAnswer(s7) == Killed && CanRelease(s7);
}
