/* Panics: the specification of record of panicstate.State (docs/design.md#panic-state), and of what a
 * trampoline hands to its caller (I7).
 *
 * A machine has three lists. Pending: the deferred calls that have not run. Running: those
 * that have not returned, each inside the one before. Unwinds: the panics that are not over,
 * each with its level, which is how many deferred calls were running around what it unwinds.
 * Of the call frames there are only the numbers; a larger one is deeper, and what frame f
 * deferred runs as frame f+1. What the machine is doing follows from the lists:
 *
 *	DOOMED     a Fatal panic is in force; nothing has an effect any more
 *	ENDED      another panic was recovered by nobody, and nothing is left to run
 *	UNWINDING  the last panic is not inside of any running call: NextDefer is due
 *	CODE       none of these: code of the guest runs, in a deferred call if any is running
 *
 * A generation numbers the panics of a machine. A deferred call remembers how many there
 * had been when it was registered: it can recover later ones only. The order is all that is
 * ever asked; a bound on them makes the model finite.
 *
 * The model leaves the host free to do in any order whatever the machine allows, so frames
 * need not be those of any program. It leaves out values and sites, and the scheduler: a
 * fiber is Running all the time, and comes back to the same unwind when it has waited (I6).
 * The rules of docs/design.md#panic-state, which has no numbers for them, stand under I6 here.
 *
 * An action is one indivisible step and equals one call of the API, on the machine of the
 * context that executes. Its first line is its guard: when that does not hold the call is
 * refused and changes nothing.
 *
 * Bounds: -DNM= (machines: the fiber's, its trampoline's), -DNR= (frames that defer), -DND=
 * (deferred calls of one machine), -DNG= (panics of one machine). BUG=n injects a known
 * mistake; package spec/panics lists them. panic_world.pml says what must hold and tries
 * everything.
 */
#ifndef NM
#define NM 1
#endif
#ifndef NR
#define NR 2
#endif
#ifndef ND
#define ND 2
#endif
#ifndef NG
#define NG 2
#endif
#if NM < 1 || NM > 2 || NR < 1 || NR > 3 || ND < 1 || ND > 4 || NG < 1 || NG > 4
#error bounds: NM 1..2, NR 1..3, ND 1..4, NG 1..4
#endif

#define RECOVERABLE 1		/* kinds, the weakest first */
#define EXIT        2		/* runs deferred calls, and is not recovered */
#define FATAL       3		/* skips them, and nothing ends it */

byte top;			/* the machine of the context that executes */
byte gen[NM];			/* how many panics there were */
bool over[NM];			/* nothing is left to run */
bool handed;			/* a native call has handed a panic over, and the code that
				 * made the call still runs: it may begin a panic */
byte nd[NM];			/* pending, sorted by frame, of one frame the oldest first */
byte pf[NM*ND];			/*   that registered it */
byte pg[NM*ND];			/*   its generation */
byte nr[NM];			/* running, the innermost last */
byte rf[NM*ND];			/*   that registered it; it runs as the next one */
byte rg[NM*ND];
bool ru[NM*ND];			/*   an unwind runs it, not a return */
byte nu[NM];			/* unwinds, the latest last */
byte uk[NM*NG];			/*   its kind */
byte ug[NM*NG];
byte ul[NM*NG];			/*   its level */
bool ur[NM*NG];			/*   it is over when the running call returns */

byte i, j, k, g, n, x, y, z, answer, who;	/* scratch, 0 between actions */
#define SCRUB i = 0; j = 0; k = 0; g = 0; n = 0; x = 0; y = 0; z = 0; answer = NONE; who = 0

#define P(list,at)  list[top*ND+(at)]		/* of the top machine: a deferred call */
#define U(list,at)  list[top*NG+(at)]		/* a panic */
#define LASTP       (nd[top]-1)			/* the latest of each; only if there is one */
#define LASTR       (nr[top]-1)
#define LASTU       (nu[top]-1)
#define FLOOR       (P(rf,LASTR)+1)		/* the frame of the innermost running call */

#define DOOMED      (over[top] && U(uk,0) == FATAL)
#define ENDED       (over[top] && U(uk,0) != FATAL)
#define UNWINDING   (!over[top] && nu[top] > 0 && U(ul,LASTU) == nr[top])
#define CODE        (!over[top] && !(nu[top] > 0 && U(ul,LASTU) == nr[top]))
#define IN_DEFER    (CODE && nr[top] > 0 && P(ru,LASTR))
#define HANDED      (top == 0 && handed)
#define KEEPS(kind) (HANDED && (kind) <= U(uk,LASTU) && BUG != 13)	/* it begins nothing new */
#define INSIDE(f)   (nr[top] == 0 || (f) >= FLOOR)	/* the frame is of the innermost call */
#define HAS_INSIDE  (nd[top] > 0 && INSIDE(P(pf,LASTP)))

#include "must.pml"
#include "panic_world.pml"

/* ---- parts ------------------------------------------------------------------------ */

/* The last pending call starts: running, it is answered to the host. */
inline start(unwound) {
	x = LASTP; z = nr[top];
	P(rf,z) = P(pf,x); P(rg,z) = P(pg,x); P(ru,z) = unwound; nr[top] = z + 1;
	who = P(pf,x); answer = RUN;
	if :: BUG != 11 || !(unwound) -> P(pf,x) = 0; P(pg,x) = 0; nd[top] = x :: else fi
}

/* The innermost running call is no more. */
inline stop() {
	z = LASTR; P(rf,z) = 0; P(rg,z) = 0; P(ru,z) = false; nr[top] = z
}

/* The unwinds from x up to, not including, y are no more. */
inline forget(x, y) {
	do
	:: y < nu[top] ->
		U(uk,x) = U(uk,y); U(ug,x) = U(ug,y); U(ul,x) = U(ul,y); U(ur,x) = U(ur,y); x++; y++
	:: else -> break
	od;
	do
	:: x < nu[top] -> nu[top]--; z = nu[top]; U(uk,z) = 0; U(ug,z) = 0; U(ul,z) = 0; U(ur,z) = false
	:: else -> break
	od
}

/* Everything pending, running and unwinding is no more. */
inline drop() {
	do :: nr[top] > 0 -> stop() :: else -> break od;
	do :: nd[top] > 0 -> z = LASTP; P(pf,z) = 0; P(pg,z) = 0; nd[top] = z :: else -> break od;
	i = 0; j = nu[top]; forget(i, j)
}

/* A panic begins. A Fatal one ends everything else at once. */
inline raise(kind, generation) {
	gen[top] = generation; handed = false;
	if :: kind == FATAL && BUG != 10 -> drop(); over[top] = true :: else fi;
	z = nu[top]; U(uk,z) = kind; U(ug,z) = generation; U(ul,z) = nr[top]; nu[top] = z + 1;
	STRONG(kind)
}

/* The panics of the innermost running call leave it, all of them together: one that was
 * raised there while it was exiting stays on top of the exit. The call is left behind.
 * Around it they replace what ran it, if that is not stronger. */
inline leave() {
	n = nr[top]; stop();
	j = nu[top];
	do :: j > 0 && U(ul,j-1) == n -> j--; U(ul,j)-- :: else -> break od;
	i = j;
	do
	:: i > 0 && U(ul,i-1) == n-1 && (U(uk,i-1) <= U(uk,j) || BUG == 4) -> i--
	:: else -> break
	od;
	forget(i, j)
}

/* ---- actions ---------------------------------------------------------------------- */

/* The code that runs panics. So may the host, by a Fatal panic, at any time; while one is
 * in force nothing else begins. Native code whose call has handed a panic over may panic too:
 * the panic that it was handed stays in force, unless the new one is stronger. */
inline Begin(kind) { d_step {
	(CODE || HANDED || kind == FATAL || DOOMED) && (DOOMED || KEEPS(kind) || gen[top] < NG && gen[0] < NG) -> PRE
	if
	:: DOOMED
	:: !DOOMED && KEEPS(kind) -> handed = false
	:: !DOOMED && !KEEPS(kind) ->
		if :: HANDED && kind != FATAL -> i = LASTU; j = nu[top]; forget(i, j) :: else fi;
		g = gen[top] + 1; raise(kind, g)
	fi;
	POST_N(Begin, kind)
}}

/* Frame f defers a call. It can recover the panics that are yet to come; deferred by a
 * running deferred call, all those that this one can. */
inline Defer(f) { d_step {
	!ENDED && (DOOMED || nd[top] + nr[top] < ND) && MORE -> PRE
	if
	:: DOOMED
	:: else ->
		g = gen[top];
		if :: CODE && nr[top] > 0 && BUG != 12 -> g = P(rg,LASTR) :: else fi;
		i = nd[top]; nd[top]++;
		do
		:: i > 0 && P(pf,i-1) > f -> P(pf,i) = P(pf,i-1); P(pg,i) = P(pg,i-1); i--
		:: else -> break
		od;
		P(pf,i) = f; P(pg,i) = g; REGISTERED
	fi;
	POST_N(Defer, f)
}}

/* The next deferred call of an unwind: the latest of the deepest frame. Where the innermost
 * running call has none left, the panic was raised in it and not recovered: the call is left
 * behind. Run f, or None: the fiber ends. */
inline NextDefer() { d_step {
	UNWINDING || over[top] -> PRE
	if :: top == 0 -> handed = false :: else fi;
	do
	:: over[top] -> answer = NOTHING; break
	:: !over[top] && HAS_INSIDE && BUG != 6 -> start(true); break
	:: !over[top] && !(HAS_INSIDE && BUG != 6) && nr[top] == 0 -> over[top] = true
	:: else -> leave()
	od;
	MUST(I6, !over[top] || nd[top] == 0); MOVED
	POST(NextDefer)
}}

/* Frame f returns without a panic: its next deferred call, Run f, or None. Not while a
 * deferred call of it, or one that a deeper frame registered, is still to end. */
inline Return(f) { d_step {
	DOOMED || CODE && INSIDE(f) && (nd[top] == 0 || P(pf,LASTP) <= f) -> PRE
	if
	:: !DOOMED && nd[top] > 0 && P(pf,LASTP) == f -> start(false); MOVED
	:: else -> answer = NOTHING
	fi;
	POST_N(Return, f)
}}

/* The innermost deferred call returns. How its frame goes on:
 *   a return ran it            -> Returning f
 *   a panic is still in force  -> Continue f: NextDefer is due
 *   it was recovered           -> Recovered f: the frame returns
 *   a Fatal panic is in force  -> Stop */
inline EndDefer() { d_step {
	DOOMED || CODE && nr[top] > 0 && !HAS_INSIDE -> PRE
	unrecovered(n);
	if
	:: DOOMED -> answer = STOP
	:: else ->
		who = P(rf,LASTR); x = P(ru,LASTR); stop();
		if
		:: !x -> answer = RETURNING
		:: else ->
			if
			:: U(ur,LASTU) ->
				i = LASTU; j = nu[top]; forget(i, j);
				if :: BUG == 5 && nu[top] > 0 -> i = LASTU; j = nu[top]; forget(i, j) :: else fi
			:: else
			fi;
			answer = (nu[top] > 0 && U(ul,LASTU) == nr[top] -> CONTINUE : RECOVERED)
		fi
	fi;
	unrecovered(y); MUST(I6, n == y); MOVED
	POST(EndDefer)
}}

/* Frame f asks for the panic. Value, and that is over when the deferred call returns, if
 *   f is that of the innermost deferred call itself,
 *   an unwind runs it,
 *   it was registered before the panic began,
 *   the panic is Recoverable, and not recovered yet. */
inline Recover(f) { d_step {
	true -> PRE
	if
	:: IN_DEFER && (f == FLOOR || BUG == 1) && (U(ug,LASTU) > P(rg,LASTR) || BUG == 2) &&
	   (U(uk,LASTU) == RECOVERABLE || BUG == 3) && !U(ur,LASTU) ->
		MUST(I6, f == FLOOR && U(ug,LASTU) > P(rg,LASTR) && U(uk,LASTU) == RECOVERABLE);
		U(ur,LASTU) = true; answer = VALUE
	:: else -> answer = NOTHING
	fi;
	POST_N(Recover, f)
}}

/* The fiber ends, and the next one begins with nothing. */
inline Reset() { d_step {
	top == 0 -> PRE
	drop(); over[0] = false; gen[0] = 0; handed = false; CALM
	POST(Reset)
}}

#if NM > 1
/* Native code calls in: a trampoline has a machine of its own. Only running code can. */
inline Call() { d_step {
	top == 0 && CODE -> PRE
	top = 1;
	POST(Call)
}}

/* The call ends. If a panic did that, its kind, value and generation are raised in the
 * caller, as a panic that is later than every deferred call there: those can recover it
 * (I7). Nothing else of the callee is left. The caller's native code runs on until it asks for
 * the next deferred call. */
inline Leave() { d_step {
	top == 1 -> PRE
	k = 0; if :: over[1] -> k = U(uk,0); g = U(ug,0); who = g :: else fi;
	if :: BUG != 9 -> drop() :: else fi;
	over[1] = false; gen[1] = 0; CALM
	top = 0;
	if
	:: k > 0 && BUG != 8 ->
		g = (gen[0] + 1 > g -> gen[0] + 1 : g);
		if :: BUG == 7 -> g = 0 :: else fi;
		raise(k, g); handed = (k != FATAL)
	:: else
	fi;
	MUST(I7, k == 0 || nu[0] > 0 && U(uk,LASTU) == k && U(ug,LASTU) >= who && U(ul,LASTU) == nr[0]);
	MUST(I7, nd[1] == 0 && nr[1] == 0 && nu[1] == 0); who = 0;
	POST(Leave)
}}
#endif

HOST
#ifdef LIVE
#include "panic_liveness.pml"
#endif
