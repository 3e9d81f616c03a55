/* A condition of what the lock guards, in a machine with -DNC=1: wait.Cond.
 *
 * Its owner gives the lock up and waits for a signal, in one step. A signal wakes nobody: it
 * moves whoever has waited longest into the line for the lock, behind those who stand there,
 * so that it wakes as the owner. A signal is not lost with the one it chose: if that gives
 * up or dies before it has run, the next is signaled in its place. A broadcast was for
 * those who waited then, and is not passed on. Signalling needs no lock. */
#if NC > 0
chan hall = [ROOM] of { byte, byte };	/* who waits for a signal, in order of arrival */
bool chosen[NF];			/* by a signal, and has not run since */

#define CHOSEN(f)        chosen[f]
#define UNCHOOSE(f)      chosen[f] = false;
#define FREE_NUMBER(f,n) (!line??[eval(f),eval(n)] && !hall??[eval(f),eval(n)])

/* One fiber, if one waits, is signaled: x, its ticket y. */
inline signal(single) {
	if
	:: len(hall) > 0 ->
		if
		:: BUG == 16 -> n = 1; do :: n < len(hall) -> hall?x,y; hall!x,y; n++ :: else -> break od
		:: else
		fi;
		hall?x,y; CALLED(x) chosen[x] = single;
		if
		:: owner == NIL || BUG == 15 -> owner = x; granted = y; wake(x, y, OK); answer = HANDED
		:: else ->
			line!x,y; LINE(x)
			if
			:: BUG == 20 -> n = 1; do :: n < len(line) -> line?x,y; line!x,y; n++ :: else -> break od
			:: else
			fi;
			if :: answer == NONE -> answer = BUSY :: else fi
		fi
	:: else
	fi
}

/* Fiber f gave up, or died, before it ran. If a signal chose it, that goes on to the next;
 * what became of that is nobody's answer. */
inline pass_on(f, how) {
	z = answer; i = chosen[f]; chosen[f] = false; n = len(hall);
	if :: i && BUG != how -> i = n; n = 0; signal(true); n = i; i = true :: else fi;
	MUST(I9, !i || n == 0 || len(hall) == n-1);
	answer = z; i = 0; n = 0
}

/* The owner waits for a signal; the lock goes to whoever has waited longest for it: Handed,
 * or Freed. */
inline Await(f) { d_step {
	st[f] == READY && owner == f -> PRE
	n = 0; do :: !FREE_NUMBER(f,n) -> n++ :: else -> break od;
	seq[f] = n; st[f] = WAITS; hall!f,n; SLEEPS(f)
	KNOWS(f, false);
	if :: BUG != 17 -> hand_over() :: else fi;
	RELEASED
	POST_F(Await, f)
}}

/* Handed: the lock was free, and whoever has waited longest has it. Busy: that one waits
 * for the lock now. Nothing, if nobody waits. */
inline Signal() { d_step {
	true -> PRE
	if :: len(hall) > 0 -> DID_SIGNAL :: else fi;
	signal(true);
	POST(Signal)
}}

/* Everybody who waits is signaled, one after the other: Handed if the first has the lock. */
inline Broadcast() { d_step {
	true -> PRE
	do
	:: len(hall) > 0 && !(BUG == 18 && answer != NONE) -> i = (BUG == 21 -> 1 : 0); signal(i)
	:: else -> break
	od;
	MUST(I9, len(hall) == 0);
	i = 0;
	POST(Broadcast)
}}

/* Those who wait for a signal are told that the lock is poisoned: nobody can make true what
 * they wait for. */
inline fail_hall() {
	do
	:: len(hall) > 0 && BUG != 19 -> hall?x,y; CALLED(x) n = FAILED; wake(x, y, n)
	:: else -> break
	od
}
#define LEAVE_HALL(f)    if :: hall??[eval(f),eval(seq[f])] -> hall??eval(f),eval(seq[f]) :: else fi;
#define FAIL_HALL        fail_hall();
#define PASS_ON(f,how)   pass_on(f, how);
#define CONDITION        :: Signal() :: Broadcast()
#define AWAIT(f)         :: Await(f)
#else
#define CHOSEN(f)        false
#define UNCHOOSE(f)
#define FREE_NUMBER(f,n) (!line??[eval(f),eval(n)])
#define LEAVE_HALL(f)
#define FAIL_HALL
#define PASS_ON(f,how)
#define CONDITION
#define AWAIT(f)
#endif
