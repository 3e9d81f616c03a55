/* The inbox: how other threads reach the one that owns a scheduler, and how that one
 * sleeps. The specification of record of scheduler.Inbox, of Park, and of Close.
 *
 * In the other models an action is one step of the owner. Here threads are threads: every
 * read and write of what they share is a step of its own, and every interleaving is
 * tried. What a mutex guards is one step.
 *
 *   posters   each holds a Sender, posts some commands, and closes the Sender: the promise
 *             that a wake may still come from outside
 *   driver    the owner's loop: it carries out what was posted (drain), asks for a
 *             verdict, parks until the bell rings, and closes the inbox in the end
 *
 * A command may poll itself, which drains inside a drain; it may panic, and the host goes
 * on. Of fibers there is one, which stays blocked: so the verdict is Waiting while a Sender
 * is open, and Deadlock then. A deadline or a context that ends would wake the driver too;
 * they are left out, because they would hide that a wake was lost.
 *
 * Every run is finite. So what must happen in the end must have happened when nothing
 * moves any more, under no other fairness than that a thread that can move does.
 *
 * Bounds: -DNP= (posters), -DNM= (commands of each). BUG=n injects a known mistake:
 *    1 rings before it posts          7 the verdict looks for senders last
 *    2 forgets the flag too late      8 a command that polls lets younger ones pass
 *    3 a panic loses the rest         9 close trusts the flag
 *    4 a bell without memory         10 a Sender is closed before it says so to nobody
 *    5 close carries nothing out     11 a panic leaves no trace
 *    6 looks for the end outside the lock
 */
#ifndef NP
#define NP 2
#endif
#ifndef NM
#define NM 1
#endif
#define WAKES (NP*NM)		/* what a fiber may wait for */
#define ALL   (WAKES+NP)	/* and one for each Sender that is closed: it does nothing */

#include "must.pml"

/* ---- what the threads share ------------------------------------------------------- */

chan queue = [ALL] of { byte };	/* posted, in order of arrival; under the lock */
bool closed;			/* nothing is accepted any more; under the lock */
bool waiting;			/* somebody has posted since the last drain; atomic */
byte senders = NP;		/* open; atomic */
chan bell = [1] of { bit };	/* rung when a command comes and none was waiting */

/* ---- what the owner has alone ----------------------------------------------------- */

chan batch = [ALL] of { byte };	/* taken from the queue, not carried out yet */
chan aside = [ALL] of { byte };	/* a mistake's */
bool held, parked, over;
byte odd = 2;			/* how many commands may still poll or panic */
byte c;

/* ---- the judge's memory ----------------------------------------------------------- */

bool accepted[ALL];
bool served[ALL];
chan order = [ALL] of { byte };	/* accepted and not served, in order of arrival */
byte i;

/* I9: of the first n commands all that were accepted have been carried out. */
inline check_served(n) {
	i = 0;
	do :: i < n -> MUST(I9, served[i] == accepted[i]); i++ :: else -> break od;
	i = 0
}

/* ---- a poster --------------------------------------------------------------------- */

/* Says that something is there. Who finds the flag up need not ring: whoever put it up
 * does, or has. A bell that has rung and was not heard yet need not ring again. */
inline announce() {
	d_step { first = !waiting; waiting = true };
	if
	:: first && BUG != 4 -> d_step { if :: len(bell) == 0 -> bell!1 :: else fi }
	:: first && BUG == 4 -> d_step { if :: parked && len(bell) == 0 -> bell!1 :: else fi }
	:: else
	fi
}

/* Post: accepted, or refused because the inbox is closed. Then it is announced. */
inline post(m) {
	if :: BUG == 1 -> announce() :: else fi;
	if :: BUG == 6 -> late = closed :: else fi;
	d_step {
		if
		:: closed && BUG != 6 || late -> took = false
		:: else -> took = true; queue!m; accepted[m] = true; order!m;
			printf("ACT poster %d posts %d\n", p, m)
		fi
	};
	if :: took && BUG != 1 -> announce() :: else fi
}

proctype poster(byte p) {
	byte k;
	bool first, took, late;
	do
	:: k < NM -> post(p*NM+k); k++
	:: else -> break
	od;
	/* Sender.Close: the promise is taken back first, and then something is posted, so
	 * that a driver that sleeps because of it looks again. */
	if :: BUG != 10 -> senders-- :: else fi;
	post(WAKES+p);
	if :: BUG == 10 -> senders-- :: else fi
}

/* ---- the driver ------------------------------------------------------------------- */

#define PENDING (waiting || len(batch) > 0 && BUG != 11)

/* I11: commands are carried out in the order of their arrival. I12: and once. */
inline carry_out() {
	d_step {
		batch?c;
		MUST(I12, !served[c]); served[c] = true;
		MUST(I11, order?[eval(c)]); order??eval(c);
		printf("ACT driver carries out %d\n", c); c = 0
	}
}

/* Takes what was posted. The flag goes down before: who posts between the two puts it up
 * again, and the driver looks once in vain. After, it would be lost. */
inline take() {
	if :: BUG != 2 -> waiting = false :: else fi;
	d_step { do :: len(queue) > 0 -> queue?c; batch!c :: else -> break od; c = 0 };
	if :: BUG == 2 -> waiting = false :: else fi
}

/* A command polls: what is left of the batch comes first, then what was posted since. */
inline drain_inside() {
	d_step {
		printf("ACT the command polls\n");
		do :: BUG == 8 && len(batch) > 0 -> batch?c; aside!c :: else -> break od;
		c = 0
	};
	do :: len(batch) > 0 -> carry_out() :: else -> break od;
	if :: waiting -> take() :: else fi;
	do
	:: len(batch) > 0 -> carry_out()
	:: len(batch) == 0 && len(aside) > 0 ->		/* a mistake's */
		d_step { do :: len(aside) > 0 -> aside?c; batch!c :: else -> break od; c = 0 };
		break
	:: else -> break
	od
}

/* Carries out the batch. A command that panics leaves those behind it to the next drain. */
inline finish() {
	do
	:: len(batch) > 0 ->
		carry_out();
		if
		:: true
		:: odd > 0 -> odd--; drain_inside()
		:: odd > 0 && !closed ->
			odd--; printf("ACT the command panics\n");
			if
			:: BUG == 3 -> d_step { do :: len(batch) > 0 -> batch?c :: else -> break od; c = 0 }
			:: else
			fi;
			goto poll
		fi
	:: else -> break
	od
}

active proctype driver() {
	run poster(0);
	if :: NP > 1 -> run poster(1) :: else fi;
	if :: NP > 2 -> run poster(2) :: else fi;

poll:	/* What a panic has left behind comes first. */
	if
	:: PENDING ->
		finish();
		if :: waiting -> take() :: else fi;
		finish()
	:: else
	fi;

idle:	/* The verdict. Senders are looked for first: they post, and close then. */
	if :: BUG != 7 -> held = senders > 0 :: else fi;
	if
	:: PENDING -> goto poll
	:: else
	fi;
	if :: BUG == 7 -> held = senders > 0 :: else fi;
	if
	:: held ->		/* Waiting */
		printf("ACT driver parks\n");
		parked = true; bell?_; parked = false;
		goto poll
	:: true ->		/* Deadlock: nothing can ever wake the fiber. Or the host has had enough */
		if
		:: !held -> d_step { printf("ACT driver says deadlock\n"); MUST(I9, senders == 0); check_served(WAKES) }
		:: else
		fi
	fi;

	/* Close: nothing is accepted from now on, and what was accepted is carried out, also
	 * what its poster has not announced yet. */
	d_step { closed = true; if :: BUG != 9 -> waiting = true :: else fi; printf("ACT driver closes\n") };
	if
	:: PENDING && BUG != 5 ->
		finish();
		if :: waiting -> take() :: else fi;
		finish()
	:: else
	fi;
	atomic { check_served(ALL) };
	over = true
}

/* When nothing moves any more: the driver does not sleep although nobody is left to ring,
 * and every accepted command was carried out. */
active proctype judge() {
	timeout -> d_step { MUST(I9, over); check_served(ALL) }
}
