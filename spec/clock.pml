/* Time, in a machine with -DND=n: deadlines, and the waits that have one.
 *
 * Nothing is left of time but its order: of the deadlines 0 .. ND-1 a lower one always
 * comes before a higher one. A bound: each can be that of one wait at a time. */
#if ND > 0
byte due[ND] = NIL;		/* the context whose wait it is to end */
bool alone[ND];			/* it is a Timer wait: nothing but the deadline is waited for */

#if ND == 1
#define DUE(c)      (due[0] == (c))
#define TIMER(c)    (due[0] == (c) && alone[0])
#define SOME_DUE    (due[0] != NIL)
#else
#define DUE(c)      (due[0] == (c) || due[1] == (c))
#define TIMER(c)    (due[0] == (c) && alone[0] || due[1] == (c) && alone[1])
#define SOME_DUE    (due[0] != NIL || due[1] != NIL)
#endif
#define CAN_BY(d)   ((d) == NIL || due[((d) == NIL -> 0 : (d))] == NIL)
#define SET_DUE(c,d,a) if :: (d) != NIL -> due[d] = c; alone[d] = a :: else fi;
#define NO_DUE(c)   no_due(c);

/* The wait of c has ended: its deadline, if it had one, is off. What is left of it in
 * the timer wheel does nothing (I10). */
inline no_due(c) {
	g = 0;
	do
	:: g < ND -> if :: due[g] == c && BUG != 19 -> due[g] = NIL; alone[g] = false :: else fi; g++
	:: else -> break
	od
}
#else
#define DUE(c)      false
#define TIMER(c)    false
#define SOME_DUE    false
#define CAN_BY(d)   true
#define SET_DUE(c,d,a)
#define NO_DUE(c)
#endif

#if NG > 0
byte grace = NIL;		/* the cancelled fiber whose grace period runs: one at a time, a bound */
#define NO_GRACE       (grace == NIL)
#define BEGIN_GRACE(f) grace = f;
#define END_GRACE(f)   if :: grace == (f) && BUG != 26 -> grace = NIL :: else fi;
#else
#define NO_GRACE       true
#define BEGIN_GRACE(f)
#define END_GRACE(f)
#endif
