/* Moving, as one scheduler sees it, in a machine with -DNV=1: a fiber leaves it to go on in
 * another, or comes from another. move.pml has two schedulers, and who hears of the end. */
#if NV > 0
bool movable[NF];		/* spawned to move, or moved in */
bool tied[NF];			/* it owns a lock, or is in a scope */

#define SET_MOVABLE(f,how) movable[f] = (how) % 4 == 3;
#define FORGET_TIES(f)  movable[f] = false; tied[f] = false;
#if NM > 0
#define MASK_TIMES(f,m) masks[f] = m;
#else
#define MASK_TIMES(f,m)
#endif
#define LEAVES(f) ((!tied[f] || BUG == 39) && (own[f] == NIL || BUG == 40) && (!doomed[f] || BUG == 41) && \
	(cancel[f] == NONE || BUG == 42) && (depth[f] == 0 || BUG == 43) && !frames[f] && !FATAL(f))

/* A movable fiber that is ready leaves. Not who owns a lock or is in a scope, who has an
 * operation that is neither over nor given up, who has a native call, who is to unwind, who is held. Its life here is over,
 * and so are its name and its tickets. The others keep their places. */
inline MoveOut(f) { d_step {
	st[f] == RUNNABLE && movable[f] && LEAVES(f) && (!HELD(f) || BUG == 64) -> PRE
	MUST(I9, !doomed[f] && cancel[f] == NONE);
	MUST(I12, !tied[f] && own[f] == NIL);
	MUST(I4, depth[f] == 0);
	if :: BUG != 45 && !HELD(f) -> ready??eval(f) :: else fi;
	FORGET_TIES(f) UNMASK(f)
	if :: BUG != 44 -> end_life(f) :: else -> st[f] = DEAD fi;
	POST_S(MoveOut, f)
}}

/* A fiber comes from another scheduler: a dead slot that is not retired comes to life, at the
 * back of the ready queue. It has masked its cancellation m times. */
inline MoveIn(f, m) { d_step {
	st[f] == DEAD && HAS_LIFE(f) -> PRE
	BEGIN_LIFE(f) movable[f] = true; MASK_TIMES(f, m) enqueue(f);
	if :: BUG == 46 -> advance() :: else fi;
	POST_SN(MoveIn, f, m)
}}

/* The current fiber takes a lock, or enters a scope; any member of its chain may. */
inline Tie() { d_step {
	RUNS && movable[cur] && !tied[cur] -> PRE
	tied[cur] = true;
	POST(Tie)
}}

inline Untie() { d_step {
	RUNS && tied[cur] -> PRE
	tied[cur] = false;
	POST(Untie)
}}

/* I10: nothing is left of the dead. */
inline check_ties() {
	i = 0;
	do :: i < NF -> MUST(I10, st[i] != DEAD || !movable[i] && !tied[i]); i++ :: else -> break od
}
#define CHECK_TIES ; check_ties()
#else
#define SET_MOVABLE(f,how)
#define FORGET_TIES(f)
#define CHECK_TIES
#endif
