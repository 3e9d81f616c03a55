/* What the models have in common: known mistakes, assertions with a number, and fairness. */

/* BUG is the mistake that is made, 0 for none. The verifier reads it from its environment
 * when it starts, so one verifier finds them all; it is no part of a state. Spin itself
 * cannot ask: its simulator needs -DBUG=n. */
#ifndef BUG
c_decl {
static int bug;
static void __attribute__((constructor)) choose_bug(void) { const char *n = getenv("BUG"); bug = n ? atoi(n) : 0; }
}
#define BUG c_expr { bug }
#endif

#define STR(s)  #s
#define XSTR(s) STR(s)

/* MUST(rule, condition) asserts an invariant of docs/invariants.md; a replay of its trail prints
 * the rule. Where liveness is at stake nothing is asserted again. */
#if defined(LIVE)
#define MUST(rule, condition) skip
#elif defined(LTS)
#define MUST(rule, condition) assert(condition)
#else
#define MUST(rule, condition) \
	if :: (condition) :: else -> printf(XSTR(BROKEN rule\n)); assert(condition) fi
#endif

/* SERVED(P, fair) is the Buchi automaton of not ( []<>fair -> []<>!P ): P may not last
 * without end while `fair' recurs. What recurs is written out; nothing else is assumed. */
#define SERVED(P,fair) \
	do :: true :: (P) -> break od; \
	waiting: if :: (P) && (fair) -> goto accept :: (P) -> goto waiting fi; \
	accept: if :: (P) -> goto waiting fi
