/* What a verdict counts although the scheduler does not see it: in a machine with -DNO=1
 * waits that end from outside, and promises that something will come for no wait in
 * particular; with -DNE=1 slices that are lent to a worker (lend.pml). */
#if NO > 0
bool out[N];			/* the wait that is armed or blocked on ends from outside */
bool promised;			/* a Sender is open, or a device is waited for */
#define PROMISED  promised
#define NO_OUT(c) if :: BUG != 48 -> out[c] = false :: else fi;
#define OUT(c)    out[c]
#if N == 1
#define SOME_OUT  out[0]
#elif N == 2
#define SOME_OUT  (out[0] || out[1])
#elif N == 3
#define SOME_OUT  (out[0] || out[1] || out[2])
#else
#error bounds: with NO at most 3 contexts
#endif

/* ArmQueue, for somebody outside of the scheduler: an idle one is not deadlocked. */
inline ArmOutside() { d_step {
	PLAIN && CAN_ARM -> PRE
	x = EXEC; prepare(x); out[x] = true;
	POST(ArmOutside)
}}

/* Somebody outside promises to send something, and takes the promise back: until then an
 * idle scheduler is not deadlocked, whatever its fibers wait for. Anybody may, at any time.
 * However many promises there are, a verdict only asks for one. */
inline Promise() { d_step {
	!promised -> PRE
	promised = true;
	POST(Promise)
}}
inline TakeBack() { d_step {
	promised -> PRE
	if :: BUG != 56 -> promised = false :: else fi;
	MUST(I9, !promised);
	POST(TakeBack)
}}

/* I10: what counts as awaited from outside is a wait that has not ended. */
inline check_outside() {
	i = 0;
	do :: i < N -> MUST(I10, !out[i] || seq[i] != NIL); i++ :: else -> break od
}
#define CHECK_OUTSIDE ; check_outside()
#else
#define NO_OUT(c)
#define OUT(c)    false
#define SOME_OUT  false
#define PROMISED  false
#define CHECK_OUTSIDE
#endif

#if NE > 0
bool lent[NF];			/* a worker runs its slice */
#define LENT(f)       lent[f]
#define FORGET_LENT(f) if :: BUG != 52 -> lent[f] = false :: else fi;
#if NF == 1
#define SOME_LENT     lent[0]
#elif NF == 2
#define SOME_LENT     (lent[0] || lent[1])
#else
#define SOME_LENT     (lent[0] || lent[1] || lent[2])
#endif
#else
#define LENT(f)       false
#define FORGET_LENT(f)
#define SOME_LENT     false
#endif
