/* What a fiber does about its own cancellation, in a machine with -DNM=n: it masks it, up
 * to n deep, and asks for it without blocking. */
#if NM > 0

/* Cancellation of the chain is put off until the matching Unmask; a kill is not. Any
 * member of the chain may mask, with a wait prepared too. */
inline Mask() { d_step {
	RUNS && masks[cur] < NM -> PRE
	masks[cur]++;
	POST(Mask)
}}

/* Undoes one Mask. A cancel that is pending is told at the next Block that has no result,
 * or by Interrupted. */
inline Unmask() { d_step {
	RUNS && masks[cur] > 0 -> PRE
	masks[cur]--;
	POST(Unmask)
}}

/* Asks whether the chain is to unwind now. The first that applies:
 *   doomed, or a Fatal panic      -> Killed, at every call
 *   cancel pending, not masked    -> Cancelled; the cancel is taken: it is told once
 * A prepared wait stays as it is. */
inline TakeInterrupt() { d_step {
	RUNS -> PRE
	if
	:: doomed[cur] || FATAL(cur) -> answer = KILLED
	:: !doomed[cur] && !FATAL(cur) && cancel[cur] == PENDING && !MASKED(cur) ->
		if :: BUG != 25 -> cancel[cur] = TAKEN :: else fi;
		answer = CANCELLED; MUST(I6, cancel[cur] == TAKEN)
	:: else
	fi;
	POST(Interrupted)
}}
#endif
