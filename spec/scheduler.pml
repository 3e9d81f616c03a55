/* The scheduler core: the specification of record.
 *
 * This file is the machine: its state, and one inline per action. The comment on an
 * action is its normative text. parts.pml holds what several actions share, clock.pml
 * what is known of time. The other files only use the machine: invariants.pml says what
 * must hold after every action,
 * host.pml tries every action with every parameter, observe.pml prints, liveness.pml
 * says what must happen in the end.
 *
 * An action is one indivisible step (d_step) of the scheduler's owner and equals one
 * call of its API. The first line of an action is its guard: when the guard does not
 * hold, the call is refused and changes nothing.
 *
 *   regular fibers: slots 0 .. NF-1        trampolines: slots NF .. NF+NT-1
 *
 * A context is a fiber of either pool. A regular fiber is the root of a chain of
 * trampolines, which is empty most of the time; the top of the chain (the root itself
 * if the chain is empty) is the context that executes when the root is current.
 *
 * Bounds: -DNF= -DNT= -DNK= -DNW= (fibers, trampolines, tokens, tickets of one slot in
 * circulation); with -DND= clock.pml is part of the machine (deadlines that are live at
 * once), with -DNM= mask.pml (masks of one fiber), with -DNG=1 cancelled fibers
 * have a grace period (and -DND= deadlines to go with it), with -DNP= nest.pml (how many
 * native calls may be pinned; with -DNA=1 every fiber nests), with -DNL=n a slot has n
 * generations and is retired then, with -DNV=1 leave.pml (fibers move to other schedulers),
 * with -DNO=1 outside.pml (waits that end from outside), with -DNE=1 lend.pml (fibers that are
 * lent to workers); with -DNQ=1 some are spawned at the front of the queue; with -DNR=1 runs
 * end and begin (nest.pml); with -DNH=1 hold.pml (fibers that are paused); with -DNX=1 free.pml (the
 * next fiber is any that is ready). BUG=n in the verifier's environment injects a known
 * mistake, for the test of the checks; package spec lists them. How everything is run:
 * check.sh.
 */
#ifndef NF
#define NF 2
#endif
#ifndef NT
#define NT 1
#endif
#ifndef NK
#define NK 1
#endif
#ifndef NW
#define NW 1
#endif
#ifndef ND
#define ND 0
#endif
#ifndef NM
#define NM 0
#endif
#ifndef NG
#define NG 0
#endif
#ifndef NP
#define NP 0
#endif
#ifndef NA
#define NA 0
#endif
#ifndef NL
#define NL 0
#endif
#ifndef NV
#define NV 0
#endif
#ifndef NO
#define NO 0
#endif
#ifndef NE
#define NE 0
#endif
#ifndef NQ
#define NQ 0
#endif
#ifndef NR
#define NR 0
#endif
#ifndef NH
#define NH 0
#endif
#ifndef NX
#define NX 0
#endif
#if NG > 0 && ND == 0
#error a grace period needs deadlines
#endif
#if NF > 3 || NT > 2 || NK > 2 || NW < 1 || NW > 2 || ND > 2 || NP > 2 || NP > 0 && NT == 0 || (NA > 0 || NR > 0) && NP == 0
#error bounds: NF 1..3, NT 0..2, NK 0..2, NW 1..2, ND 0..2, NP 0..2
#endif
#define N    (NF+NT)
#if NT > 0
#define ROOM NT			/* an array cannot be empty */
#else
#define ROOM 1
#endif
#if NK > 0
#define KEEP NK
#else
#define KEEP 1
#endif
#define NIL  255		/* no slot, no token, no ticket */
#include "must.pml"

/* Scheduling state of a context. There is no other source of truth: the ready queue,
 * the waiter map and `cur' must agree with it. */
#define DEAD     0
#define RUNNABLE 1		/* regular only: in the ready queue, or held; its chain carried */
#define RUNNING  2		/* current, or a trampoline mounted or carried */
#define BLKQ     3		/* waits for a peer, or for the callee above it */
#define BLKIO    4		/* regular only: waits for its token */
#define BLKT     5		/* waits for its deadline and nothing else */

#define NONE    0		/* arm: no wait prepared; cancel: not cancelled */
#define ARMED   1		/* the ticket is out, the context still runs */
#define LATCHED 2		/* the wait ended before the context blocked */

#define PENDING 1		/* cancel: to be told at the next Block without a result */
#define TAKEN   2		/* told: unwinds, cancellation is masked for good */

#define MINE 1			/* hand: armed by the fiber that lives in the slot now */
#define OLD  2			/* hand: armed by a fiber of the slot that is dead */

#define FREE     0		/* token: no operation */
#define INFLIGHT 1		/* submitted, its owner lives */
#define DONE     2		/* completed before it was awaited, kept for its owner */
#define ORPHAN   3		/* abandoned; its one completion will be counted, dropped */

byte st[N];
byte arm[N];
byte seq[N] = NIL;		/* ticket of the wait that is armed or blocked on */
byte hand[N*NW];		/* tickets in circulation: with a waker, on a wire */
bool frames[NF];		/* has frames that must be unwound; fixed at Spawn */
bool doomed[NF];		/* killed, runs only to unwind */
byte cancel[NF];
byte chain[NF*ROOM] = NIL;	/* trampolines above a root, the lowest first */
byte depth[NF];
byte own[NF] = NIL;		/* the token a fiber holds: one at a time, a bound */
byte tok[KEEP];
byte iow[KEEP] = NIL;		/* waiter map: who awaits the token */
bool dev[KEEP];			/* the device has the operation; unseen by the scheduler */
chan ready = [NF+1] of { byte };
byte cur = NIL;			/* current regular fiber */
#if NM > 0
byte masks[NF];			/* how often cancellation was masked */
#define MASKED(f) (masks[f] > 0)
#define UNMASK(f) masks[f] = 0;
#else
#define MASKED(f) false
#define UNMASK(f)
#endif
#if NL > 0
byte life[N];			/* generations that have begun in the slot */
#define HAS_LIFE(c)  (life[c] < NL || BUG == 38)
#define BEGIN_LIFE(c) life[c]++;
#else
#define HAS_LIFE(c)  true
#define BEGIN_LIFE(c)
#endif
#include "clock.pml"

byte x, y, k, g, i, j, n, root, answer;	/* scratch, 0 between actions */
#define SCRUB x = 0; y = 0; k = 0; g = 0; i = 0; j = 0; n = 0; root = 0; answer = NONE

#define HAND(c,t)    hand[(c)*NW+(t)]
#define TRAMP(c)     ((c) >= NF)
#define TOP(f)       (depth[f] == 0 -> (f) : chain[(f)*ROOM+depth[f]-1])
#define EXEC         TOP(cur)				/* only if RUNS */
#define RUNS         (cur != NIL)
#define PLAIN        (RUNS && arm[EXEC] == NONE)	/* executes, no wait prepared */
#define BLOCKED(c)   (st[c] >= BLKQ)
#define FRAMELESS(f) (!frames[f] && depth[f] == 0)	/* nothing to unwind */
#if NW == 1
#define CAN_ARM      (HAND(EXEC,0) == NONE)
#else
#define CAN_ARM      (HAND(EXEC,0) == NONE || HAND(EXEC,1) == NONE)
#endif

#include "observe.pml"
#include "outside.pml"
#include "hold.pml"
#include "nest.pml"
#include "leave.pml"
#include "invariants.pml"
#include "parts.pml"

/* ---- actions of the owner that need no current fiber ------------------------------ */

/* A dead slot that is not retired comes to life, Runnable, at the back of the ready queue. Whether the
 * fiber has native or Go frames to unwind (1), or nests (2), or may move (3), is fixed here.
 * Its caller may put it at the front instead (4 more). */
inline Spawn(f, how) { d_step {
	st[f] == DEAD && HAS_LIFE(f) -> PRE
	BEGIN_LIFE(f) frames[f] = (how) % 4 == 1; SET_NESTS(f, how) SET_MOVABLE(f, how) enqueue(f);
	if :: (how) >= 4 && BUG != 54 -> advance() :: else fi;
	MUST(I9, (how) < 4 || ready?[eval(f)]);
	POST_SN(Spawn, f, how)
}}

/* ScheduleNext. Needs that nothing is current and the ready queue is not empty. Heads
 * that are doomed and have nothing to unwind are reaped (Runnable to Dead) on the way;
 * the first other one becomes current. So it may mount nobody. The chain of the new
 * current is mounted with it; its trampolines are Running already. */
inline Next() { d_step {
	cur == NIL && len(ready) > 0 && PUMP_LETS -> PRE
	TURN(false) reap_heads();
	if
	:: len(ready) > 0 ->
		if :: BUG == 13 -> j = 1; do :: j < len(ready) -> ready?x; ready!x; j++ :: else -> break od :: else fi;
		ready?x; MUST(I1, st[x] == RUNNABLE); st[x] = RUNNING; cur = x
	:: else
	fi;
	POST(Next)
}}

/* Wake by ID: owner code knows that c is blocked on a wait of its own. Anything else,
 * a caller that is blocked on its callee included, is a contract error. The ticket of
 * the wait is spent; a token it waited for is abandoned. */
inline WakeID(c) { d_step {
	BLOCKED(c) && seq[c] != NIL || BUG == 3 && st[c] == RUNNABLE -> PRE
	end_wait(c); resume(c);
	POST_S(WakeID, c)
}}

/* Somebody uses ticket t of slot c. The first that applies:
 *   the fiber that armed it is dead                          -> Gone
 *   it is not the ticket of the current wait                 -> Stale
 *   the current wait is for a token, or for its deadline     -> WrongSource
 *   armed, not blocked yet                                   -> Latched
 *   blocked                                                  -> Woken
 * Only the last two change anything in the scheduler. A used ticket leaves circulation;
 * that of an IO or Timer wait stays, so that it can be tried in every state of it. */
inline Deliver(c, t) { d_step {
	HAND(c,t) != NONE -> PRE
	awaited_by(c);
	if
	:: HAND(c,t) == OLD -> HAND(c,t) = NONE; answer = GONE
	:: HAND(c,t) == MINE && seq[c] != t && (BUG != 5 || seq[c] == NIL) -> HAND(c,t) = NONE; answer = STALE
	:: HAND(c,t) == MINE && (seq[c] == t || BUG == 5 && seq[c] != NIL) && (k != NIL || TIMER(c) && BUG != 20) ->
		answer = WRONGSOURCE
	:: else ->
		MUST(I5, seq[c] == t && HAND(c,t) == MINE && !TIMER(c));
		HAND(c,t) = NONE;
		if
		:: arm[c] == ARMED -> latch(c); answer = WOKE_ARMED
		:: else -> end_wait(c); resume(c); answer = WOKEN
		fi
	fi;
	POST_SN(Deliver, c, t)
}}

/* The one terminal completion of operation t, from the device:
 *   the token was abandoned          -> Late: counted and dropped
 *   nobody awaits it yet             -> Early: kept for the owner
 *   its waiter has not blocked yet   -> Latched: the token has ended
 *   its waiter is blocked            -> Woken: the token has ended */
inline IoDone(t) { d_step {
	dev[t] -> PRE
	dev[t] = false; y = iow[t];
	if
	:: tok[t] == ORPHAN -> tok[t] = FREE; answer = LATE
	:: tok[t] != ORPHAN && y == NIL ->
		if :: BUG != 12 -> tok[t] = DONE :: else fi; answer = EARLY
	:: else ->
		end_token(t, FREE);
		if
		:: arm[y] == ARMED -> latch(y); answer = WOKE_ARMED
		:: else -> end_wait(y); resume(y); answer = WOKEN
		fi
	fi;
	POST_N(IoDone, t)
}}

#if ND > 0
/* The earliest deadline of all has come. Its wait ends, a token that it was for is
 * abandoned. Time passes between slices only (in Poll), when nobody is current, so the
 * wait is blocked, never armed. Or it is the end of a grace period, which comes after
 * deadline 0 and before 1: the fiber that was cancelled is killed. Heads of the ready queue that are doomed and have
 * nothing to unwind are reaped then, as by Next. */
inline Expire() { d_step {
	!RUNS && (SOME_DUE || !NO_GRACE) -> PRE
#if NG > 0
	if
	:: grace != NIL && due[0] == NIL ->
		root = grace; y = grace; grace = NIL;
		if :: BUG != 27 -> kill_chain() :: else fi;
		MUST(I9, doomed[y] || st[y] == DEAD)
	:: else ->
#endif
	g = (due[0] != NIL && (BUG != 22 || due[ND-1] == NIL) -> 0 : ND-1); x = due[g];
	if
	:: BUG == 21 -> due[g] = NIL; alone[g] = false
	:: else -> end_wait(x); resume(x)
	fi;
#if NG > 0
	fi;
#endif
	reap_heads();
	POST(Expire)
}}
#endif

/* Cancel the chain that c is a member of. No effect if it is doomed or was cancelled
 * before. If it is parked or blocked, and not masked, the wait of its top ends with the
 * cause, it resumes, and the cancel is taken: it unwinds, and its later waits work.
 * Otherwise the cancel is pending until a Block that has no result and is not masked. */
inline Cancel(c) { d_step {
	st[c] != DEAD && NO_GRACE -> PRE
	root_of(c);
	if
	:: doomed[root] || cancel[root] != NONE
	:: !doomed[root] && cancel[root] == NONE && BLOCKED(TOP(root)) && (!MASKED(root) || BUG == 24) && BUG != 14 ->
		MUST(I6, !MASKED(root));
		HEARS(root, CANCELLED) BEGIN_GRACE(root)
		cancel[root] = TAKEN; x = TOP(root); end_wait(x); resume(x)
	:: else ->
		HEARS(root, CANCELLED) BEGIN_GRACE(root)
		cancel[root] = PENDING;
		if :: BUG == 1 && st[root] == RUNNABLE -> enqueue(root) :: else fi
	fi;
	POST_S(Cancel, c)
}}

/* Kill the chain that c is a member of; idempotent. Blocked with nothing to unwind: it
 * is dead at once. Blocked or parked with something to unwind: doomed, the wait of its
 * top ends, it resumes. Runnable or Running: doomed; if it has nothing to unwind it
 * dies when it is popped. If it is held it returns to the ready queue. */
inline Kill(c) { d_step {
	st[c] != DEAD -> PRE
	root_of(c); kill_chain();
	POST_S(Kill, c)
}}

/* ---- actions of the executing context --------------------------------------------- */

/* YieldCurrent. The root goes to the back of the ready queue; its chain, if any, is
 * carried along. Not between Arm and Block or Disarm, and not in a call that nests. */
inline Yield() { d_step {
	(PLAIN || BUG == 18 && RUNS) && (!IN_CALL(cur) || BUG == 36) -> PRE
	x = cur; cur = NIL; enqueue(x);
	POST(Yield)
}}

/* KillCurrent: the root ends, with no trampoline above it and no wait prepared. */
inline Exit() { d_step {
	PLAIN && depth[cur] == 0 -> PRE
	x = cur; cur = NIL;
	if :: BUG != 29 || !BELOW_PUMP -> bury(x) :: else fi;
	POST(Exit)
}}

/* A synchronous call from native code: dead trampoline t is Running on top of the
 * chain. Not with a wait prepared, not when doomed or a Fatal panic is in force, and, in a
 * fiber that nests, not when as many calls are pinned already as may be. */
inline Acquire(t) { d_step {
	RUNS && (arm[EXEC] == NONE || BUG == 10) && !doomed[cur] && !FATAL(cur) && !TOO_DEEP && st[t] == DEAD && HAS_LIFE(t) -> PRE
	BEGIN_LIFE(t) st[t] = RUNNING; chain[cur*ROOM+depth[cur]] = t; depth[cur]++;
	POST_S(Acquire, t)
}}

/* The call returns: the executing trampoline is dead. Not with a wait prepared. */
inline Release() { d_step {
	PLAIN && depth[cur] > 0 -> PRE
	x = EXEC; depth[cur]--; chain[cur*ROOM+depth[cur]] = NIL; end_life(x);
	POST(Release)
}}

/* Arm(Queue): a new ticket, which will be given to whoever may wake. Its number is the
 * smallest that nobody holds: it cannot be told from a number never used before. The
 * wait may have a deadline. */
inline ArmQueue(by) { d_step {
	PLAIN && CAN_ARM && CAN_BY(by) -> PRE
	x = EXEC; prepare(x); SET_DUE(x, by, false)
	POST_BY(ArmQueue, by)
}}

/* Arm(IO): a regular fiber only, for the token it holds, which nobody awaits. A token
 * that is done already ends the wait at once, and has ended itself; a deadline is not
 * begun then. */
inline ArmIO(by) { d_step {
	PLAIN && (depth[cur] == 0 || BUG == 7) && own[cur] != NIL && CAN_ARM && CAN_BY(by) -> PRE
	x = EXEC; prepare(x); k = own[cur];
	if
	:: tok[k] == DONE -> end_token(k, FREE); seq[x] = NIL; arm[x] = LATCHED
	:: else -> iow[k] = x; SET_DUE(x, by, false)
	fi;
	POST_BY(ArmIO, by)
}}

#if ND > 0
/* Arm(Timer): a wait that only its deadline ends. It has a ticket like any other, which
 * wakes nobody. */
inline ArmTimer(by) { d_step {
	PLAIN && CAN_ARM && CAN_BY(by) -> PRE
	x = EXEC; prepare(x); SET_DUE(x, by, true)
	POST_BY(ArmTimer, by)
}}
#endif

/* The wait is taken back: the ticket is spent, its deadline is off, a token is in flight
 * again and awaited by nobody. If the wait has ended already, its result is returned and must be used. */
inline Disarm() { d_step {
	RUNS && arm[EXEC] != NONE -> PRE
	x = EXEC; awaited_by(x);
	if :: k != NIL -> iow[k] = NIL :: else fi;
	NO_DUE(x) NO_OUT(x) seq[x] = NIL; arm[x] = NONE;
	POST(Disarm)
}}

/* Commit the prepared wait. The first that applies:
 *   latched, a root        -> Requeued: Runnable at the back of the ready queue, its
 *                             result is kept for it; nothing is current
 *   latched, a trampoline  -> Resumed: it goes on
 *   doomed, or a Fatal panic is in force
 *                          -> Killed: the wait ends unbegun, it goes on to unwind
 *   cancel pending, not masked -> Cancelled: likewise; the cancel is taken
 *   a call that nests      -> Pinned: it is blocked, its callers are not; nothing is
 *                             current
 *   otherwise              -> Parked: blocked, and every caller below it blocked on
 *                             its callee; nothing is current */
inline Block() { d_step {
	RUNS && arm[EXEC] != NONE -> PRE
	x = EXEC; root = cur;
	if
	:: arm[x] == LATCHED && BUG != 16 ->
		arm[x] = NONE;
		if
		:: TRAMP(x) -> answer = RESUMED
		:: else -> cur = NIL; enqueue(x); answer = REQUEUED
		fi
	:: !(arm[x] == LATCHED && BUG != 16) && (doomed[root] || FATAL(root)) -> end_wait(x); answer = KILLED
	:: !(arm[x] == LATCHED && BUG != 16) && !doomed[root] && !FATAL(root) && cancel[root] == PENDING && !MASKED(root) ->
		end_wait(x); cancel[root] = TAKEN; answer = CANCELLED
	:: else ->
		if
		:: IN_CALL(root) && BUG != 37 -> st[x] = BLKQ
		:: else ->
			i = 0;
			do :: i < depth[root] -> st[chain[root*ROOM+i]] = BLKQ; i++ :: else -> break od;
			st[root] = BLKQ
		fi;
		awaited_by(x);
		if :: k != NIL -> st[x] = BLKIO :: TIMER(x) -> st[x] = BLKT :: else fi;
		arm[x] = NONE;
		if
		:: IN_CALL(root) -> PIN answer = PINNED
		:: !IN_CALL(root) && BUG != 2 -> cur = NIL; answer = PARKED
		:: !IN_CALL(root) && BUG == 2 -> answer = PARKED
		fi
	fi;
	POST(Block)
}}

/* An operation is handed to the device. It belongs to the root, also when a trampoline
 * submits it. Not when doomed or a Fatal panic is in force. A prepared wait does not stand in the way. */
inline IoSubmit(t) { d_step {
	RUNS && !doomed[cur] && !FATAL(cur) && own[cur] == NIL && tok[t] == FREE -> PRE
	own[cur] = t; tok[t] = INFLIGHT; dev[t] = true;
	POST_N(IoSubmit, t)
}}

#include "mask.pml"
#include "lend.pml"
#include "free.pml"
#ifdef TRAIL
#include XSTR(TRAIL)	/* some actions in a row, in place of any in any order: package spec writes them */
#else
#include "host.pml"
#endif
#ifdef LIVE
#include "liveness.pml"
#endif
