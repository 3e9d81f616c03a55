/* The mutex: the specification of record of wait.Mutex.
 *
 * A lock with an owner. Unlock hands it to whoever has waited longest: that fiber owns it
 * from that moment, before it runs. So there is never a moment with two owners, nor with
 * none while somebody waits, and nobody can barge in between (I11). When an owner dies
 * while it holds the lock, a policy says what becomes of it (I12).
 *
 * The model puts as much of a scheduler around the mutex as it can see of one, in the way
 * of channel.pml: armed and blocked are one state, WAITS; a wakeup is delivered, and the
 * wait withdrawn, in the step that decides it; a deadline and a cancel are one, GiveUp;
 * the woken fiber claims later how its wait ended, if it lives to do so. The host has the
 * mutex told of the death of its owner (fiber.OwnerHook) from the moment the fiber knows
 * that it has the lock; before that the scheduler knows (Forfeit). Here that is one rule.
 * cond.pml adds a condition.
 *
 * An action is one indivisible step and equals one call of the API. Its first line is its
 * guard: when that does not hold the call is refused and changes nothing.
 *
 * Bounds: -DNF= (fibers), -DHANDON=1 (the policy: hand on; otherwise poison), -DNC=1 (a
 * condition). BUG=n
 * injects a known mistake; package spec/mutex lists them. mutex_world.pml says what must
 * hold and tries everything.
 */
#ifndef NF
#define NF 2
#endif
#ifndef HANDON
#define HANDON 0
#endif
#if NF > 4
#error bounds: NF 1..4
#endif
#define NIL  255		/* no fiber, no ticket */
#ifndef NC
#define NC 0
#endif
#define ROOM (NF+2)		/* of the queue, with some for mistakes */

#define DEAD  0
#define READY 1			/* its own code can run */
#define WAITS 2			/* armed or blocked: only others can do something */
#define WOKEN 3			/* the wait has ended, the fiber has not claimed it yet */

#define OK     1		/* how a wait ended: the lock was handed over */
#define FAILED 2		/* the lock was poisoned */
#define QUIT   3		/* not by the mutex: deadline, cancel */

byte st[NF];
byte seq[NF] = NIL;		/* the number of its ticket, until it claims */
byte code[NF];			/* how the wait ended */

byte owner = NIL;		/* who holds the lock */
byte granted = NIL;		/* the ticket by which it got it, if it has not claimed yet */
bool poisoned;			/* an owner died */
chan line = [ROOM] of { byte, byte };	/* who waits, in order of arrival: fiber, ticket */

byte x, y, z, i, n, was, answer;	/* scratch, 0 between actions */
#define SCRUB x = 0; y = 0; z = 0; i = 0; n = 0; was = 0; answer = NONE

#include "must.pml"
#include "mutex_world.pml"
#include "cond.pml"

/* ---- parts ------------------------------------------------------------------------ */

/* The wait of ticket t of fiber f ends; it is registered no more (I10). */
inline wake(f, t, how) {
	if
	:: st[f] == WAITS && seq[f] == t ->
		st[f] = WOKEN; code[f] = how;
		if :: how == FAILED -> UNCHOOSE(f) skip :: else fi;
		if
		:: line??[eval(f),eval(t)] && !(BUG == 3 && how == QUIT) -> line??eval(f),eval(t)
		:: else
		fi
	:: else
	fi
}

/* Whoever has waited longest leaves the line: fiber x, its ticket y. */
inline pop() {
	if :: BUG == 2 -> n = 1; do :: n < len(line) -> line?x,y; line!x,y; n++ :: else -> break od :: else fi;
	line?x,y; LINED(x)
}

/* The lock goes to whoever has waited longest, or to nobody. */
inline hand_over() {
	if
	:: len(line) > 0 ->
		pop();
		if :: BUG != 1 -> owner = x; granted = y :: else -> owner = NIL; granted = NIL fi;
		wake(x, y, OK); answer = HANDED;
		if :: BUG == 9 && len(line) > 0 -> pop(); wake(x, y, OK) :: else fi
	:: else -> owner = NIL; granted = NIL; answer = FREED
	fi
}

/* The owner has died. Hand on: as if it had unlocked. Poison: what the lock guards may be
 * half done, so those who wait are woken with Failed, in order of arrival, and every
 * later lock is refused, until Repair. */
inline owner_died() {
	if
	:: HANDON || BUG == 10 -> hand_over()
	:: else ->
		poisoned = true; owner = NIL; granted = NIL; answer = SPOILED;
		do
		:: len(line) > 0 && BUG != 6 -> pop(); n = (BUG == 7 -> OK : FAILED); wake(x, y, n)
		:: else -> break
		od;
		FAIL_HALL
	fi
}

/* ---- actions ---------------------------------------------------------------------- */

inline Spawn(f) { d_step {
	st[f] == DEAD -> PRE
	st[f] = READY;
	POST_F(Spawn, f)
}}

/* TryLock. The first that applies:
 *   it is poisoned          -> Poisoned: refused
 *   the fiber has the lock  -> Double: refused
 *   somebody else has it    -> Busy: it would block, also while the owner that it was
 *                              handed to does not know yet
 *   otherwise               -> Locked: it has it */
inline Lock(f) { d_step {
	st[f] == READY -> PRE
	if
	:: poisoned -> answer = SPOILED
	:: !poisoned && owner == f -> answer = DOUBLE
	:: !poisoned && owner != f && owner != NIL && !(BUG == 8 && granted != NIL) -> answer = BUSY
	:: else -> owner = f; granted = NIL; answer = LOCKED; KNOWS(f, true)
	fi;
	POST_F(Lock, f)
}}

/* The fiber waits for the lock that somebody else has. */
inline Wait(f) { d_step {
	st[f] == READY && !poisoned && (owner != NIL || BUG == 12) && owner != f -> PRE
	n = 0; do :: !FREE_NUMBER(f,n) -> n++ :: else -> break od;
	seq[f] = n; st[f] = WAITS; line!f,n; LINE(f)
	POST_F(Wait, f)
}}

/* Unlock, by the owner: Handed to whoever has waited longest, or Freed. */
inline Unlock(f) { d_step {
	st[f] == READY && owner == f -> PRE
	KNOWS(f, false); hand_over();
	RELEASED
	POST_F(Unlock, f)
}}

/* The wait ends, but not by the mutex. If that has ended it already, that stands, and
 * this is nothing. Nobody else can go on because of it; a signal is passed on. */
inline GiveUp(f) { d_step {
	st[f] == WAITS -> PRE
	UNLINE(f); LEAVE_HALL(f) wake(f, seq[f], QUIT); PASS_ON(f, 13)
	POST_F(GiveUp, f)
}}

/* The woken fiber runs again: Locked, Poisoned, or Quit. What was decided stands, even if
 * the lock was repaired meanwhile. */
inline Claim(f) { d_step {
	st[f] == WOKEN -> PRE
	if
	:: code[f] == OK ->
		answer = LOCKED; KNOWS(f, true);
		if :: BUG != 11 -> granted = NIL :: else fi
	:: code[f] == FAILED -> answer = SPOILED
	:: code[f] == QUIT -> answer = LEFT
	fi;
	st[f] = READY; seq[f] = NIL; code[f] = 0; UNCHOOSE(f)
	POST_F(Claim, f)
}}

/* The fiber dies. If it waits, it waits no more. If it owns the lock, whether or not it
 * has heard of that, the policy is followed: Handed, Freed or Poisoned. */
inline Kill(f) { d_step {
	st[f] != DEAD -> PRE
	if
	:: st[f] == WAITS ->
		if :: line??[eval(f),eval(seq[f])] -> line??eval(f),eval(seq[f]) :: else fi;
		LEAVE_HALL(f) UNLINE(f)
	:: else
	fi;
	was = st[f];
	st[f] = DEAD; seq[f] = NIL; code[f] = 0; KNOWS(f, false);
	PASS_ON(f, 14)
	if
	:: owner == f && !(BUG == 4 && was == READY) && !(BUG == 5 && was == WOKEN) -> owner_died(); RELEASED
	:: else
	fi;
	POST_F(Kill, f)
}}

/* Somebody vouches for what the poisoned lock guards: it is free again. */
inline Repair() { d_step {
	poisoned -> PRE
	poisoned = false;
	POST(Repair)
}}

HOST
#ifdef LIVE
#include "mutex_liveness.pml"
#endif
