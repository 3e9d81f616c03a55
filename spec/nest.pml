/* Nesting, in a machine with -DNP=n: fibers that stand on the call stack of whoever drives
 * the scheduler. Their native frames cannot be put aside. When a call of such a fiber waits,
 * it alone is Blocked: its callers stay Running where they are, pinned under a pump, which
 * is a loop above them that runs other fibers until the call may go on. In between nobody is
 * current, and the scheduler is as it is between slices: the pump uses Next, Expire and all
 * the rest, and so serves everything.
 *
 *	call           Block ->       Blocked, pinned     whatever ends its wait -> Running, pinned
 *	               YieldPinned ->     Running, pinned
 *	its callers    stay Running, pinned
 *	current        nobody; then whoever the pump mounts, on top; they may be pinned too
 *	Unpin          the innermost pin goes, its root is current again
 *
 * The pins are a stack, which mirrors the native one. A call that may go on while another
 * lies above it is buried: it has to wait until that one has gone. NP is the depth limit. */
#if NP > 0
bool nests[NF];			/* its calls are pinned instead of parked; fixed at Spawn */
bool fatal[NF];			/* a Fatal panic is in force in it: it only unwinds */
byte pins[NP] = NIL;		/* roots under pumps, the innermost last */
byte pinned;			/* how many */

#define NESTS(f)    nests[f]
#define FATAL(f)    fatal[f]
#define IN_CALL(f)  (nests[f] && depth[f] > 0)
#define INNER       pins[pinned-1]				/* only if pinned > 0 */
#define GOES_ON     (pinned > 0 && st[TOP(INNER)] == RUNNING)	/* the innermost call may */
#define TOO_DEEP    (nests[cur] && pinned >= NP)
#if NP == 1
#define PINS(f)     (pins[0] == (f) -> 1 : 0)
#define BURIED      false
#else
#define PINS(f)     ((pins[0] == (f) -> 1 : 0) + (pins[1] == (f) -> 1 : 0))
#define BURIED      (pinned > 1 && st[TOP(pins[0])] == RUNNING)
#endif
#define SET_NESTS(f,how) nests[f] = (how) % 4 == 2;
#define FORGET_NESTS(f)  nests[f] = false; fatal[f] = false;
#define BELOW_PUMP       (pinned > 0)
#define PIN              pins[pinned] = cur; pinned++; cur = NIL;

#if NR > 0
byte verdict;			/* the first of this run that has failed a pinned call */
byte told_first;		/* the same, for the assertion: the machine does not read it */
#define KEEP_VERDICT \
	if :: verdict == NONE && BUG != 57 -> verdict = answer :: else fi; \
	if :: told_first == NONE -> told_first = answer :: else fi;
#if NF == 1
#define NOBODY (st[0] == DEAD)
#elif NF == 2
#define NOBODY (st[0] == DEAD && st[1] == DEAD)
#else
#define NOBODY (st[0] == DEAD && st[1] == DEAD && st[2] == DEAD)
#endif
#else
#define KEEP_VERDICT
#endif

#ifdef LIVE
/* A pump looks at its call before it mounts anybody, and ends when that may go on. Only a
 * call that gave way lets the others have a turn first. */
bool turn;
#define TURN(t)     turn = t;
#define PUMP_LETS   (!GOES_ON || turn)
#else
#define TURN(t)
#define PUMP_LETS   true
#endif

/* Nothing can end the wait of the innermost call any more: no fiber is ready, no deadline is
 * live, no grace period runs, no operation is awaited, in either pool, no wait ends from
 * outside, nobody there has promised anything, no worker has a slice, and no fiber is held. */
#if NK == 0
#define AWAITED false
#elif NK == 1
#define AWAITED (iow[0] != NIL)
#else
#define AWAITED (iow[0] != NIL || iow[1] != NIL)
#endif
#define IDLE   (!RUNS && pinned > 0 && !GOES_ON && len(ready) == 0 && !SOME_DUE && NO_GRACE && \
	(!SOME_OUT || BUG == 47) && (!SOME_LENT || BUG == 51) && \
	(!PROMISED || BUG == 55) && (!SOME_HELD || BUG == 65))
#define STUCK  (IDLE && !AWAITED && !SOME_OUT && !SOME_LENT && !PROMISED && !SOME_HELD)
#define CAN_FAIL_PINNED (IDLE && (!AWAITED || BUG == 31) && (!BURIED || BUG != 30))

/* The slice of a fiber that nests is used up inside a call: the others have a turn. It is
 * what Yield is to the others. The call stays Running, so Unpin takes it up at any time. */
inline YieldPinned() { d_step {
	PLAIN && IN_CALL(cur) -> PRE
	PIN TURN(true)
	POST(YieldPinned)
}}

/* The pump ends: its call may go on. The pinned chain is mounted again, as it was. */
inline Unpin() { d_step {
	!RUNS && GOES_ON -> PRE
	TURN(false)
	if :: BUG != 28 -> cur = INNER :: else fi;
	if :: BUG != 32 -> pinned--; pins[pinned] = NIL :: else fi;
	POST(Unpin)
}}

/* The pump has found that nothing can wake its call. The call's wait ends with a Fatal
 * panic, which its callers get in turn as they unwind. The verdict is
 *   StackInversion  a call further down may go on, and is buried under this one
 *   Deadlock        none may */
inline FailPinned() { d_step {
	CAN_FAIL_PINNED -> PRE
	MUST(I9, STUCK);
	answer = (BURIED && BUG != 33 -> INVERSION : DEADLOCK); KEEP_VERDICT
	MUST(I9, (answer == INVERSION) == (pinned > 1 && st[TOP(pins[0])] == RUNNING));
	root = (BUG != 34 -> INNER : pins[0]); fatal[root] = true;
	y = INNER; x = TOP(root);
	if :: BLOCKED(x) -> end_wait(x); resume(x) :: else fi;
	MUST(I9, !BLOCKED(TOP(y)));
	POST(FailPinned)
}}

#if NR > 0
/* In a machine with -DNR=1 there are runs. Every fiber has ended, and no goroutine outside has promised
 * anything: the run is over. Its result is the first verdict that has failed a pinned call in
 * it, so a run in which pumps were stuck does not end as if nothing had happened. The next run
 * begins with none. */
inline EndRun() { d_step {
	!RUNS && NOBODY && !PROMISED -> PRE
	answer = verdict;
	MUST(I9, answer == told_first); told_first = NONE;
	if :: BUG != 58 -> verdict = NONE :: else fi;
	POST(EndRun)
}}
#endif

/* I2: a Running fiber is current, or pinned once and in a call; a fiber that nests is
 *     never Runnable or Blocked in a call.
 * I9: exactly a pump that nothing can end gets a verdict. This is said of the contexts, where
 *     STUCK and CAN_FAIL_PINNED ask the queue and the waiter map. */
inline check_pins() {
	i = 0;
	do
	:: i < NF ->
		MUST(I2, PINS(i) <= 1 && (PINS(i) == 0 || IN_CALL(i)));
		MUST(I2, (st[i] == RUNNING -> 1 : 0) == PINS(i) + (cur == i -> 1 : 0) + LENT(i));
		MUST(I2, !IN_CALL(i) || st[i] == RUNNING);
		MUST(I10, st[i] != DEAD || !nests[i] && !fatal[i]);
		i++
	:: else -> break
	od;
	n = 0; i = 0;
	do
	:: i < N -> if :: st[i] == RUNNABLE || st[i] == BLKIO || DUE(i) || OUT(i) -> n++ :: else fi; i++
	:: else -> break
	od;
	MUST(I9, (cur == NIL && pinned > 0 && BLOCKED(TOP(INNER)) && n == 0 && NO_GRACE && !SOME_LENT && !PROMISED) == (CAN_FAIL_PINNED));
	i = 0;
	do :: i < NP -> MUST(I2, (pins[i] != NIL) == (i < pinned)); i++ :: else -> break od
}
#define CHECK_PINS ; check_pins()
#else
#define NESTS(f)         false
#define FATAL(f)         false
#define IN_CALL(f)       false
#define TOO_DEEP         false
#define GOES_ON          false
#define TURN(t)
#define PUMP_LETS        true
#define PINS(f)          0
#define SET_NESTS(f,how)
#define FORGET_NESTS(f)
#define BELOW_PUMP       false
#define PIN
#define CHECK_PINS
#endif
