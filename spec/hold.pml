/* Fibers that are held, in a machine with -DNH=1: the host has paused them, or all of their
 * guest, so they are ready and not in the ready queue. Why a fiber is paused is the host's
 * matter (a call, a rate, a share): the machine only sees that it is held, at the head of the
 * queue, and that it returns. */
#if NH > 0
bool held[NF];			/* Runnable, and not in the ready queue */
#define HELD(f)       held[f]
#if NF == 1
#define SOME_HELD     held[0]
#elif NF == 2
#define SOME_HELD     (held[0] || held[1])
#else
#define SOME_HELD     (held[0] || held[1] || held[2])
#endif
/* Who is killed while it is held returns to the ready queue, to unwind. */
#define RELEASE(f)    if :: held[f] && BUG != 61 -> held[f] = false; ready!f :: else fi;

/* Poll finds at the head of the ready queue a fiber that is paused: it leaves the queue and stays
 * Runnable. Not one that is doomed: it has to unwind. Heads behind it that are doomed and have
 * nothing to unwind are reaped then, as by Next. */
inline Hold(f) { d_step {
	!RUNS && ready?[eval(f)] && (!doomed[f] || BUG == 60) -> PRE
	held[f] = true;
	if :: BUG != 59 -> ready?x :: else fi;
	reap_heads();
	POST_S(Hold, f)
}}

/* It is not paused any more: it goes to the back of the ready queue. */
inline Resume(f) { d_step {
	held[f] -> PRE
	held[f] = false;
	if :: BUG != 62 -> ready!f :: else fi;
	if :: BUG == 63 -> advance() :: else fi;
	MUST(I9, len(ready) < 2 || !ready?[eval(f)]);
	POST_S(Resume, f)
}}

/* I1: what is held is ready, and nowhere else. I9: who has to unwind is not held. */
inline check_held() {
	i = 0;
	do
	:: i < NF -> MUST(I1, !held[i] || st[i] == RUNNABLE); MUST(I9, !held[i] || !doomed[i]); i++
	:: else -> break
	od
}
#define CHECK_HELD ; check_held()
#else
#define HELD(f)       false
#define SOME_HELD     false
#define RELEASE(f)
#define CHECK_HELD
#endif
