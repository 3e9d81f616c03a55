/* What must happen in the end in an unwind. Built with -DLIVE, run with pan -a -N claim.
 *
 * Fairness: the host goes on. It takes the next deferred call, and each of those returns in
 * the end or panics; and it defers only so many. */

/* I6: a panic ends: somebody recovers it, or the fiber. */
never panics_end { SERVED(nu[0] > 0 && !over[0], moved) }
