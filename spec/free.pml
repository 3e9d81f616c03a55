/* The free choice of the next fiber, in a machine with -DNX=1: the host decides which of the ready
 * fibers is next (Config.Choose), so one may overtake another, and none has a promise of its turn. */
#if NX > 0
/* ScheduleNext of fiber f, wherever it is in the ready queue. Needs that nothing is current, and
 * that f is not to be reaped. Heads that are to be reaped are, as by Next; the others keep their
 * order. */
inline Pick(f) { d_step {
	!RUNS && ready??[eval(f)] && !(doomed[f] && FRAMELESS(f)) && PUMP_LETS -> PRE
	TURN(false) reap_heads();
	if :: BUG == 67 -> ready?<x> :: else -> x = f fi;
	if :: BUG != 66 -> ready??eval(x) :: else fi;
	MUST(I1, st[x] == RUNNABLE); st[x] = RUNNING; cur = x;
	MUST(I9, cur == f);
	POST_S(Pick, f)
}}
#endif
