/* Moving: the specification of record of MoveOut and MoveIn between two schedulers, and of
 * who hears how a fiber ends that has moved (scheduler/move.go, scheduler/origin.go).
 *
 * A fiber that is ready leaves one scheduler and is then in none: it is a value that
 * somebody carries. It goes on where it is brought in, under another name. Its slot and
 * its tickets of before are over, as if it had died (I3, I5). Home is where it was spawned:
 * there its join cell stays, and whoever waits for its end. The scheduler in which it ends
 * tells the inbox at home, however far it went (I12).
 *
 * The model puts as much of two schedulers around a move as it can see of them: slots that
 * are used again, a ready queue, who runs, a ticket of each slot in circulation, and an
 * inbox. move.pml is about two of them; what ties a fiber to its scheduler, so that it may
 * not move, is in leave.pml, which is a part of scheduler.pml.
 *
 * An action is one indivisible step and equals one call of the API by the owner of the
 * scheduler that it is about. Its first line is its guard: when that does not hold the call
 * is refused and changes nothing.
 *
 * Bounds: -DNP= (fibers), -DNS= (slots of each scheduler). BUG=n injects a known mistake;
 * package spec/move lists them. move_world.pml says what must hold and tries everything.
 */
#ifndef NP
#define NP 2
#endif
#ifndef NS
#define NS 2
#endif
#if NP > 3 || NS > 2
#error bounds: NP 1..3, NS 1..2
#endif
#define NIL   255		/* no slot, no fiber, no scheduler */
#define ROOM  (NP+2)		/* of a queue, with some for mistakes */
#define SLOTS (2*NS)		/* those of scheduler 0 come first */

#define GONE   0		/* there is no such fiber: it can be spawned */
#define READY  1
#define RUNS   2
#define WAITS  3		/* blocked, for whoever has its ticket */
#define JOINS  4		/* blocked, for the end of another */
#define ADRIFT 5		/* it has moved out, and nobody has brought it in */
#define OVER   6		/* it has ended elsewhere, and home is yet to hear of it */

#define NONE 0
#define MINE 1			/* hand: armed by the fiber that lives in the slot now */
#define OLD  2			/* hand: armed by one that lives there no more */

byte st[NP];
byte at[NP] = NIL;		/* its slot, if it lives in one */
byte home[NP] = NIL;		/* the scheduler that it was spawned in */
byte goal[NP] = NIL;		/* whose end it waits for */
bool kept[NP];			/* home keeps its join cell while it is away */
bool told[NP];			/* it was told of an end, and has not run since */

byte who[SLOTS] = NIL;		/* who lives there */
byte hand[SLOTS];		/* the ticket of the slot that is in circulation */
chan ready[2] = [ROOM] of { byte };
chan inbox[2] = [ROOM] of { byte };	/* who has ended elsewhere */
byte cur[2] = NIL;

byte x, y, z, i, n, h, root, answer;	/* scratch, 0 between actions */
#define SCRUB x = 0; y = 0; z = 0; i = 0; n = 0; h = 0; root = 0; answer = NONE

#define OF(s)       ((s) / NS)			/* the scheduler that slot s is of */
#define LIVES(f)    (READY <= st[f] && st[f] <= JOINS)
#define IN(f,g)     (at[f] != NIL && OF(at[f]) == (g))
#if NS == 1
#define HAS_ROOM(g) (who[g] == NIL)
#else
#define HAS_ROOM(g) (who[(g)*NS] == NIL || who[(g)*NS+1] == NIL)
#endif

#include "must.pml"
#include "move_world.pml"

/* ---- parts ------------------------------------------------------------------------ */

/* f lives in scheduler g from now on, in its first free slot, at the back of the queue. */
inline settle(f, g) {
	n = (g)*NS; do :: who[n] != NIL -> n++ :: else -> break od;
	who[n] = f; at[f] = n; st[f] = READY; ready[g]!f; COMES(g)
}

/* f lives in its slot no more. What was armed there is over (I5). */
inline vacate(f) {
	h = OF(at[f]); n = at[f];
	who[n] = NIL; at[f] = NIL; LEAVES(h)
	if :: hand[n] == MINE && !(BUG == 4 && st[f] == READY) -> hand[n] = OLD :: else fi
}

/* f's join cell completes, at its home, and whoever waits for that goes on. */
inline complete(f) {
	MUST(I12, st[f] == OVER);
	kept[f] = false; home[f] = NIL; st[f] = GONE;
	i = 0;
	do
	:: i < NP ->
		if
		:: st[i] == JOINS && goal[i] == f -> goal[i] = NIL; told[i] = true; st[i] = READY; h = OF(at[i]); ready[h]!i
		:: else
		fi;
		i++
	:: else -> break
	od
}

/* f, which lives in no slot any more, has ended in scheduler g, or on the way (NIL). Home
 * hears of it at once if that is where it ended; otherwise its inbox is told. */
inline ends(f, g) {
	st[f] = OVER;
	y = (BUG != 9 || (g) == NIL -> home[f] : (g));
	if
	:: home[f] == (g) ->
		if :: BUG == 11 -> inbox[y]!f :: else fi;
		complete(f)
	:: home[f] != (g) && BUG != ((g) == NIL -> 13 : 8) -> inbox[y]!f
	:: else
	fi
}

/* The owner of g looks at what has come. */
inline hear(g) {
	do
	:: len(inbox[g]) > 0 && BUG != 15 ->
		inbox[g]?x; MUST(I12, home[x] == g && kept[x]); complete(x)
	:: else -> break
	od
}

/* ---- actions of one scheduler ----------------------------------------------------- */

inline Spawn(f, g) { d_step {
	st[f] == GONE && HAS_ROOM(g) -> PRE
	home[f] = g; settle(f, g);
	POST_FG(Spawn, f, g)
}}

/* A turn of g's loop: Poll and ScheduleNext. What has come is heard, and the head of the
 * ready queue runs, if there is one. */
inline Next(g) { d_step {
	cur[g] == NIL && (len(ready[g]) > 0 || len(inbox[g]) > 0) -> PRE
	hear(g);
	if :: len(ready[g]) > 0 -> ready[g]?x; st[x] = RUNS; told[x] = false; cur[g] = x :: else fi;
	TURN(g)
	POST_G(Next, g)
}}

inline Yield(g) { d_step {
	cur[g] != NIL -> PRE
	x = cur[g]; cur[g] = NIL; st[x] = READY; ready[g]!x;
	POST_G(Yield, g)
}}

/* The current fiber ends. */
inline Exit(g) { d_step {
	cur[g] != NIL -> PRE
	root = cur[g]; cur[g] = NIL; vacate(root); ends(root, g);
	POST_G(Exit, g)
}}

/* The current fiber waits; its ticket goes out. One of a slot is in circulation at a time. */
inline Wait(g) { d_step {
	cur[g] != NIL && hand[at[cur[g]]] == NONE -> PRE
	x = cur[g]; cur[g] = NIL; st[x] = WAITS; hand[at[x]] = MINE;
	POST_G(Wait, g)
}}

/* The current fiber of f's home waits for the end of f, wherever that is now. A bound: one
 * at a time does. */
inline Join(f) { d_step {
	st[f] != GONE && cur[home[f]] != NIL && cur[home[f]] != f && !IS_JOINED(f) -> PRE
	x = cur[home[f]]; cur[home[f]] = NIL; st[x] = JOINS; goal[x] = f;
	POST_F(Join, f)
}}

/* By ID: owner code that knows. The ticket is spent, although somebody may have it. */
inline Wake(f) { d_step {
	st[f] == WAITS -> PRE
	st[f] = READY; h = OF(at[f]); ready[h]!f;
	POST_F(Wake, f)
}}

/* A blocked fiber is killed: it is dead, and its own wait is withdrawn. */
inline Kill(f) { d_step {
	st[f] == WAITS || st[f] == JOINS -> PRE
	goal[f] = NIL; h = OF(at[f]); root = h; vacate(f); ends(f, root);
	POST_F(Kill, f)
}}

/* Somebody uses the ticket of slot s, at its own scheduler:
 *   who armed it lives there no more  -> Gone
 *   its wait is over                  -> Stale
 *   otherwise                         -> Woken */
inline Deliver(s) { d_step {
	hand[s] != NONE -> PRE
	if
	:: hand[s] == OLD -> answer = AWAY
	:: hand[s] == MINE && (who[s] == NIL || st[who[s]] != WAITS) -> answer = STALE
	:: else -> x = who[s]; st[x] = READY; h = OF(s); ready[h]!x; answer = WOKEN
	fi;
	hand[s] = NONE;
	POST_S(Deliver, s)
}}

/* The ticket is used at the other scheduler, where its fiber may be by now: WrongSource. It
 * never finds anybody there, and stays good at its own. */
inline Stray(s) { d_step {
	hand[s] != NONE -> PRE
	n = (s+NS) % SLOTS; answer = ELSEWHERE;
	if
	:: BUG == 5 && who[n] != NIL && st[who[n]] == WAITS ->
		MUST(I5, false); x = who[n]; st[x] = READY; h = OF(n); ready[h]!x; answer = WOKEN
	:: else
	fi;
	POST_S(Stray, s)
}}

/* An order by the name that f had at home, where it is no more, but is to be heard of:
 * MovedOut. Nobody is harmed who lives in its slot now. */
inline Order(f) { d_step {
	kept[f] -> PRE
	answer = (BUG != 17 -> MOVED : AWAY);
	if :: BUG == 16 -> kept[f] = false :: else fi;
	POST_F(Order, f)
}}

/* The verdict of g, where nobody can run:
 *   something has come                                          -> Busy
 *   nobody lives there                                          -> Done
 *   somebody waits for the end of a fiber that is elsewhere     -> Waiting
 *   otherwise                                                   -> Deadlock */
inline Idle(g) { d_step {
	cur[g] == NIL && len(ready[g]) == 0 -> PRE
	n = 0; z = 0; i = 0;
	do
	:: i < NP ->
		if :: IN(i,g) -> n++; if :: st[i] == JOINS && kept[goal[i]] -> z++ :: else fi :: else fi;
		i++
	:: else -> break
	od;
	if
	:: len(inbox[g]) > 0 -> answer = BUSY
	:: len(inbox[g]) == 0 && n == 0 -> answer = IDLE
	:: len(inbox[g]) == 0 && n > 0 && z > 0 && BUG != 12 -> answer = WAITING
	:: else -> answer = DEADLOCK
	fi;
	MUST(I9, answer != DEADLOCK || z == 0);
	POST_G(Idle, g)
}}

/* ---- actions between two ---------------------------------------------------------- */

/* A ready fiber leaves its scheduler: Runnable to Dead there, its name and its tickets are
 * spent. Home keeps what is to hear of its end. Who runs or waits stays, and so does who has
 * not yet taken what an object here has for it. */
inline MoveOut(f) { d_step {
	st[f] == READY && (!told[f] || BUG == 19) || BUG == 6 && st[f] == JOINS -> PRE
	h = OF(at[f]); root = h;
	if
	:: st[f] == READY && BUG != 1 -> ready[h]??eval(f)
	:: else
	fi;
	if :: BUG != 1 -> vacate(f) :: else fi;
	st[f] = ADRIFT;
	if
	:: home[f] == root && BUG == 7 -> kept[f] = true; complete(f)
	:: home[f] == root && BUG != 7 -> kept[f] = true
	:: else
	fi;
	POST_F(MoveOut, f)
}}

/* It is brought in: Dead to Runnable, under a new name, at the back of the ready queue.
 * Where there is no room it stays what it is, to be brought in elsewhere. At home it has
 * its own join cell again. */
inline MoveIn(f, g) { d_step {
	st[f] == ADRIFT && (HAS_ROOM(g) || BUG == 3) -> PRE
	if
	:: HAS_ROOM(g) ->
		settle(f, g);
		if :: BUG == 14 -> do :: ready[g]?[eval(f)] -> break :: else -> ready[g]?x; ready[g]!x od :: else fi;
		if :: BUG == 18 -> LEAVES(g) :: else fi;
		if :: home[f] == g && BUG != 10 -> kept[f] = false :: else fi;
		if :: BUG == 2 -> st[f] = ADRIFT :: else fi
	:: else -> st[f] = GONE
	fi;
	POST_FG(MoveIn, f, g)
}}

/* Nobody will bring it in: at home it was killed. */
inline Abandon(f) { d_step {
	st[f] == ADRIFT -> PRE
	ends(f, NIL);
	POST_F(Abandon, f)
}}

HOST
#ifdef LIVE
#include "move_liveness.pml"
#endif
