/* What must hold after every action: the state-location table of docs/design.md#transitions and the
 * invariants of docs/invariants.md, each under its number. With -DLIVE the
 * states are not checked again. */

/* I1: the ready queue holds exactly the Runnable fibers that are not held, each once.
 * I4: a trampoline is never in it, and never Runnable. */
inline check_ready() {
	i = 0;
	do
	:: i < N ->
		n = 0; j = 0;
		do
		:: j < len(ready) -> ready?y; ready!y; if :: y == i -> n++ :: else fi; j++
		:: else -> break
		od;
		if
		:: TRAMP(i) -> MUST(I4, n == 0 && st[i] != RUNNABLE)
		:: else -> MUST(I1, n == (st[i] == RUNNABLE && !HELD(i) -> 1 : 0))
		fi;
		i++
	:: else -> break
	od
}

/* I2: current and Running are the same, but for the pinned and the lent, and a chain moves with its
 *     root: Running when its root is mounted or carried, Blocked(Queue) when it is parked.
 *     The callers of a call that waits, pinned, are Running.
 * I9 (its safe half): who has to unwind does not sleep.
 * I10: nothing is left of the dead. */
inline check_fibers() {
	i = 0;
	do
	:: i < NF ->
		MUST(I2, (cur == i || PINS(i) > 0 || LENT(i)) == (st[i] == RUNNING) && !(cur == i && LENT(i)));
		MUST(I9, !BLOCKED(TOP(i)) || !doomed[i] && !FATAL(i) && (cancel[i] != PENDING || MASKED(i)));
		MUST(I10, st[i] != DEAD ||
			!frames[i] && !doomed[i] && cancel[i] == NONE && !MASKED(i) && depth[i] == 0 && own[i] == NIL);
		MUST(I2, st[i] <= BLKQ || depth[i] == 0);
		j = 0;
		do
		:: j < depth[i] ->
			MUST(I2, st[chain[i*ROOM+j]] == (BLOCKED(i) -> (TIMER(chain[i*ROOM+j]) -> BLKT : BLKQ) : RUNNING) ||
				PINS(i) > 0 && j == depth[i]-1 && BLOCKED(chain[i*ROOM+j]));
			j++
		:: else -> break
		od;
		i++
	:: else -> break
	od
}

/* I4: a living trampoline is in exactly one chain, once, and a dead one in none. */
inline check_trampolines() {
	i = NF;
	do
	:: i < N ->
		MUST(I8, st[i] != BLKIO);
		n = 0; j = 0;
		do :: j < NF*ROOM -> if :: chain[j] == i -> n++ :: else fi; j++ :: else -> break od;
		MUST(I4, n == (st[i] == DEAD -> 0 : 1));
		i++
	:: else -> break
	od
}

/* I13: only the executing context has a wait prepared.
 * I9:  a context that waits has a ticket, and somebody has that ticket.
 * I10: a context that does not wait has none.
 * I5:  the ticket was armed in this life; a ticket of the dead passes for none of the
 *      next life. */
inline check_waits() {
	i = 0;
	do
	:: i < N ->
		MUST(I13, arm[i] == NONE || RUNS && EXEC == i && st[i] == RUNNING);
		root_of_check(i);
		if
		:: arm[i] == ARMED || BLOCKED(i) && TOP(root) == i ->
			MUST(I9, seq[i] != NIL && HAND(i,seq[i]) != NONE);
			MUST(I5, HAND(i,seq[i]) == MINE)
		:: else -> MUST(I10, seq[i] == NIL)
		fi;
		j = 0;
		do
		:: j < NW -> MUST(I5, st[i] != DEAD || HAND(i,j) != MINE); j++
		:: else -> break
		od;
		i++
	:: else -> break
	od
}
inline root_of_check(c) {	/* root_of with another counter */
	root = c; j = 0;
	do
	:: TRAMP(c) && j < NF*ROOM -> if :: chain[j] == c -> root = j / ROOM :: else fi; j++
	:: else -> break
	od
}

/* I12: a token in flight or done has one owner, alive, others have none; the device has
 *      exactly the operations that are in flight or orphans.
 * I8:  the waiter map holds regular fibers only.
 * I10: and only owners that wait for that token; a fiber blocked on I/O is in it. */
inline check_tokens() {
	k = 0;
	do
	:: k < NK ->
		n = 0; i = 0;
		do
		:: i < NF ->
			if
			:: own[i] == k -> n++; MUST(I10, (st[i] == BLKIO) == (iow[k] == i && arm[i] == NONE))
			:: else
			fi;
			i++
		:: else -> break
		od;
		MUST(I12, n == (tok[k] == INFLIGHT || tok[k] == DONE -> 1 : 0));
		MUST(I12, dev[k] == (tok[k] == INFLIGHT || tok[k] == ORPHAN));
		if
		:: iow[k] != NIL ->
			MUST(I8, !TRAMP(iow[k]));
			MUST(I10, tok[k] == INFLIGHT && own[iow[k]] == k &&
				(arm[iow[k]] == ARMED || st[iow[k]] == BLKIO))
		:: else
		fi;
		k++
	:: else -> break
	od;
	i = 0;
	do :: i < NF -> MUST(I10, st[i] != BLKIO || own[i] != NIL); i++ :: else -> break od
}

#if ND > 0
/* I10: a live deadline is that of one wait, which has not ended.
 * I9:  who waits for nothing but a deadline has one. */
inline check_clock() {
	k = 0;
	do
	:: k < ND ->
		MUST(I10, due[k] == NIL && !alone[k] || due[k] != NIL && seq[due[k]] != NIL);
		MUST(I10, due[k] == NIL || !BLOCKED(due[k]) || alone[k] == (st[due[k]] == BLKT));
		k++
	:: else -> break
	od;
	MUST(I10, due[0] == NIL || due[0] != due[ND-1] || ND == 1);
	i = 0;
	do :: i < N -> MUST(I9, st[i] != BLKT || TIMER(i)); i++ :: else -> break od
#if NG > 0
	;MUST(I10, grace == NIL || st[grace] != DEAD && cancel[grace] != NONE)
#endif
}
#define CHECK_CLOCK ; check_clock()
#else
#define CHECK_CLOCK
#endif

#if NL > 0
/* I5: a generation is never used again. */
inline check_lives() {
	i = 0;
	do :: i < N -> MUST(I5, life[i] <= NL && (life[i] > 0 || st[i] == DEAD)); i++ :: else -> break od
}
#define CHECK_LIVES ; check_lives()
#else
#define CHECK_LIVES
#endif

#ifdef LIVE
/* Remembers, until fiber 0 runs or dies, that it was cancelled or killed in its sleep, or while it is held. */
byte heard;
#define HEARS(f, what) if :: (f) == 0 && (BLOCKED(0) || HELD(0)) -> heard = what :: else fi;
#define CHECK          if :: st[0] == RUNNING || st[0] == DEAD -> heard = NONE :: else fi
#else
#define HEARS(f, what)
#define CHECK check_ready(); check_fibers(); check_trampolines(); check_waits(); check_tokens() CHECK_CLOCK CHECK_PINS CHECK_LIVES CHECK_TIES CHECK_OUTSIDE CHECK_HELD
#endif
