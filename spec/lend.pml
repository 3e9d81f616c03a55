/* Slices that a worker runs, in a machine with -DNE=1. What is counted of them is in
 * outside.pml. */
#if NE > 0
/* A worker runs a slice of the current fiber, which stays Running; nobody is current. Not
 * between Arm and Block or Disarm, and not a fiber that nests: its pump would stand on the
 * worker's stack. So nothing of it can be awaited: a delivery is stale, a cancel pending. A
 * kill dooms it: it dies when the slice is over. */
inline Lend() { d_step {
	(PLAIN || BUG == 49 && RUNS) && !NESTS(cur) -> PRE
	lent[cur] = true;
	if :: BUG != 50 -> cur = NIL :: else fi;
	POST(Lend)
}}

/* The slice is over: what it did is done now, with the fiber current. */
inline Recall(f) { d_step {
	!RUNS && lent[f] -> PRE
	lent[f] = false;
	if :: BUG != 53 -> cur = f :: else fi;
	POST_S(Recall, f)
}}
#endif
