/* The parts of actions that several of them share. */

/* root = the regular fiber at the bottom of c's chain */
inline root_of(c) {
	root = c;
	if
	:: TRAMP(c) ->
		i = 0;
		do
		:: i < NF*ROOM -> if :: chain[i] == c -> root = i / ROOM :: else fi; i++
		:: else -> break
		od
	:: else
	fi
}

/* k = the token whose waiter is c, or NIL */
inline awaited_by(c) {
	k = NIL; j = 0;
	do :: j < NK -> if :: iow[j] == c -> k = j :: else fi; j++ :: else -> break od
}

/* The token leaves its owner, in state FREE or ORPHAN. */
inline end_token(t, state) {
	j = 0;
	do :: j < NF -> if :: own[j] == t -> own[j] = NIL :: else fi; j++ :: else -> break od;
	iow[t] = NIL; tok[t] = state
}

/* c's wait, armed or blocked, ends otherwise than by what it waited for: its ticket is
 * spent, although it may still be in circulation; its token is abandoned, its deadline
 * is off. */
inline end_wait(c) {
	awaited_by(c);
	if :: k != NIL && BUG != 8 -> end_token(k, ORPHAN) :: else fi;
	NO_DUE(c) NO_OUT(c) seq[c] = NIL; arm[c] = NONE
}

inline enqueue(f) { st[f] = RUNNABLE; ready!f }

/* The last of the ready queue is to be its first. */
inline advance() {
	j = 1; do :: j < len(ready) -> ready?x; ready!x; j++ :: else -> break od
}

/* The chain whose top c was blocked runs again: its trampolines are Running at once,
 * its root goes to the back of the ready queue, and alone is enqueued. The callers of a
 * pinned one run already, and its root is not enqueued: the pump takes it up. */
inline resume(c) {
	MUST(I3, BLOCKED(c));
	root_of(c);
	if
	:: BUG == 4 && TRAMP(c) -> enqueue(c)
	:: !(BUG == 4 && TRAMP(c)) && PINS(root) > 0 && BUG != 35 -> st[c] = RUNNING
	:: else ->
		i = 0;
		do
		:: i < depth[root] ->
			if :: BUG != 17 || chain[root*ROOM+i] == c -> st[chain[root*ROOM+i]] = RUNNING :: else fi;
			i++
		:: else -> break
		od;
		enqueue(root)
	fi
}

/* c's wait ends while c still runs; its Block cannot lose that. */
inline latch(c) {
	if :: BUG != 11 -> NO_DUE(c) NO_OUT(c) arm[c] = LATCHED; seq[c] = NIL :: else fi
}

/* The life in slot c ends. Tickets of it that are in circulation are of an earlier life
 * from now on: they never wake whoever lives in the slot next. */
inline end_life(c) {
	st[c] = DEAD; j = 0;
	do
	:: j < NW -> if :: HAND(c,j) == MINE && BUG != 6 -> HAND(c,j) = OLD :: else fi; j++
	:: else -> break
	od
}

/* Regular fiber f dies: its wait is over; its token, if in flight, is abandoned, if
 * done, is dropped. */
inline bury(f) {
	end_wait(f);
	k = own[f];
	if
	:: k != NIL && tok[k] == INFLIGHT && BUG != 9 -> end_token(k, ORPHAN)
	:: k != NIL && (tok[k] == DONE || BUG == 9) -> end_token(k, FREE)
	:: else
	fi;
	frames[f] = false; doomed[f] = false; cancel[f] = NONE; UNMASK(f) END_GRACE(f) FORGET_NESTS(f) FORGET_TIES(f) FORGET_LENT(f)
	end_life(f)
}

/* Heads of the ready queue that are doomed and have nothing to unwind die unmounted. */
inline reap_heads() {
	do
	:: len(ready) > 0 ->
		ready?<x>; MUST(I1, st[x] == RUNNABLE);
		if :: doomed[x] && FRAMELESS(x) -> ready?x; bury(x) :: else -> break fi
	:: else -> break
	od
}

/* c prepares a wait: a ticket with the smallest number that nobody holds goes out. */
inline prepare(c) {
	g = 0; do :: HAND(c,g) != NONE -> g++ :: else -> break od;
	HAND(c,g) = MINE; seq[c] = g; arm[c] = ARMED
}

/* The chain of `root' is killed: see Kill. */
inline kill_chain() {
	if
	:: doomed[root]
	:: !doomed[root] && (BLOCKED(TOP(root)) || BUG == 52 && LENT(root)) && FRAMELESS(root) -> bury(root)
	:: !doomed[root] && BLOCKED(TOP(root)) && !FRAMELESS(root) ->
		HEARS(root, KILLED)
		doomed[root] = true;
		if :: BUG != 15 && (BUG != 23 || !MASKED(root)) -> x = TOP(root); end_wait(x); resume(x) :: else fi
	:: !doomed[root] && !BLOCKED(TOP(root)) && !(BUG == 52 && LENT(root) && FRAMELESS(root)) ->
		if :: HELD(root) -> HEARS(root, KILLED) :: else fi;
		doomed[root] = true; RELEASE(root)
	fi
}
