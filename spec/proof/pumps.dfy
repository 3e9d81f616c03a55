// Every action of a pump keeps every invariant.
include "keeps.dfy"

// I2: who was current is pinned; who was pinned is current.
lemma YieldPinnedKeeps(s: State) requires Inv(s) && CanYieldPinned(s) ensures Inv(YieldPinned(s)) { ExecIs(s); }
lemma UnpinKeeps(s: State) requires Inv(s) && CanUnpin(s) ensures Inv(Unpin(s)) { TopIs(s, Inner(s)); }

// I9: the call is woken to unwind.
lemma FailPinnedKeeps(s: State) requires Inv(s) && CanFailPinned(s) ensures Inv(FailPinned(s)) {
  var f := Inner(s); assert At(f); TopIs(s, f); WakeKeeps(s, Top(s, f));
  TellKeeps(Wake(s, Top(s, f)), f, s.fib[f].(fatal := true));
}
