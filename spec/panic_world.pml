/* The world around panic.pml: what it remembers to judge by, what must hold after every
 * action, what a replay prints, and the host that tries every action with every
 * parameter. panic_liveness.pml says what must happen in the end. */

/* ---- the judge's memory: no action decides by it ---------------------------------- */

byte strong[NM];		/* the strongest panic that cannot be recovered */
#define STRONG(kind) if :: (kind) > RECOVERABLE && (kind) > strong[top] -> strong[top] = kind :: else fi
#define CALM         strong[top] = 0;

#ifdef LIVE
bool moved;			/* the last action took an unwind or a return further */
byte registered;		/* so many calls have been deferred: a host that defers without end
				 * never comes to an end, and need not */
#define MOVED      moved = true;
#define REGISTERED registered++;
#define MORE       (registered < 4)
#define STILL      moved = false;
#else
#define MOVED
#define REGISTERED
#define MORE true
#define STILL
#endif

/* n = how many panics of the top machine are in force */
inline unrecovered(n) {
	z = 0; n = 0;
	do :: z < nu[top] -> if :: !U(ur,z) -> n++ :: else fi; z++ :: else -> break od
}

/* ---- what must hold --------------------------------------------------------------- */

#define AT(list,of,at) list[k*of+(at)]

/* I6, the shape of an unwind. Pending calls are sorted by frame, running frames grow. Levels
 * never go down, none is above what is running; of one level, each panic is weaker than the
 * one before it. A running call that an unwind runs is that of a panic of its level, and
 * only the last of a level is recovered. Generations grow. */
inline check_machine() {
	i = 1;
	do :: i < nd[k] -> MUST(I6, AT(pf,ND,i-1) <= AT(pf,ND,i)); i++ :: else -> break od;
	i = 1;
	do :: i < nr[k] -> MUST(I6, AT(rf,ND,i-1) < AT(rf,ND,i)); i++ :: else -> break od;
	i = 0;
	do
	:: i < nu[k] ->
		MUST(I6, AT(ul,NG,i) <= nr[k] && AT(ug,NG,i) <= gen[k]);
		MUST(I6, !AT(ur,NG,i) || AT(uk,NG,i) == RECOVERABLE && AT(ul,NG,i) < nr[k]);
		if
		:: i > 0 ->
			MUST(I6, AT(ul,NG,i-1) <= AT(ul,NG,i) && AT(ug,NG,i-1) < AT(ug,NG,i));
			MUST(I6, AT(ul,NG,i-1) < AT(ul,NG,i) || AT(uk,NG,i-1) > AT(uk,NG,i) && !AT(ur,NG,i-1))
		:: else
		fi;
		i++
	:: else -> break
	od;
	i = 0;
	do
	:: i < nr[k] ->
		n = 0; j = 0;
		do :: j < nu[k] -> if :: AT(ul,NG,j) == i -> n++ :: else fi; j++ :: else -> break od;
		MUST(I6, AT(ru,ND,i) == (n > 0)); i++
	:: else -> break
	od
}

/* I6: who has ended has run everything; a Fatal panic is alone, and ends at once; a panic
 *     that cannot be recovered, or a stronger one, is in force until the end.
 * I7: nothing is left of a callee; what it handed over is in force. */
inline check_end() {
	MUST(I6, !over[k] || nu[k] > 0 && nd[k] == 0 && nr[k] == 0);
	n = 0; j = 0;
	do
	:: j < nu[k] -> if :: AT(uk,NG,j) > n -> n = AT(uk,NG,j) :: else fi; j++
	:: else -> break
	od;
	MUST(I6, n != FATAL || over[k] && nu[k] == 1);
	MUST(I6, strong[k] <= n);
	MUST(I7, k > 0 || !handed || !over[0] && nu[0] > 0 && ul[nu[0]-1] == nr[0]);
	MUST(I7, k <= top || gen[k] == 0 && !over[k] && nd[k] + nr[k] + nu[k] == 0)
}

inline check_all() {
	k = 0;
	do :: k < NM -> check_machine(); check_end(); k++ :: else -> break od
}

#ifdef LIVE			/* the states are not checked again */
#define CHECK skip
#else
#define CHECK check_all()
#endif

/* ---- what an action shows --------------------------------------------------------- */

#define NONE      0
#define NOTHING   1		/* answers: see NextDefer, Return, EndDefer, Recover */
#define STOP      2
#define VALUE     3
#define RUN       4		/* from here on with the frame, in `who' */
#define RETURNING 5
#define CONTINUE  6
#define RECOVERED 7

#ifdef LTS
c_decl {
static char pre[200], post[200], label[40];
static const char *told[] = {"-", "None", "Stop", "Value", "Run", "Returning", "Continue", "Recovered"};
}
#define PUT(v)            *p++ = '0' + (v);
#define KEY(out) { char *p = out; int m, o; \
	PUT(now.top) PUT(now.handed) \
	for (m = 0; m < NM; m++) { \
		*p++ = ' '; PUT(now.gen[m]) PUT(now.over[m]) *p++ = ' '; \
		for (o = 0; o < now.nd[m]; o++) { PUT(now.pf[m*ND+o]) PUT(now.pg[m*ND+o]) *p++ = ','; } \
		*p++ = '/'; \
		for (o = 0; o < now.nr[m]; o++) { PUT(now.rf[m*ND+o]) PUT(now.rg[m*ND+o]) PUT(now.ru[m*ND+o]) *p++ = ','; } \
		*p++ = '/'; \
		for (o = 0; o < now.nu[m]; o++) { PUT(now.uk[m*NG+o]) PUT(now.ug[m*NG+o]) PUT(now.ul[m*NG+o]) PUT(now.ur[m*NG+o]) *p++ = ','; } \
	} \
	*p = 0; }
byte a1;		/* the parameter of the action, for the code in C */
#define PRE              c_code { KEY(pre) };
#define LABEL(form, ...) c_code { sprintf(label, form, ## __VA_ARGS__); }; a1 = 0
#define POST(name)       LABEL(#name)
#define POST_N(name,v)   a1 = v; LABEL(#name " %d", now.a1)
#define SHOW             c_code { KEY(post) printf("E %s|%s %s", pre, label, told[now.answer]); \
	if (now.answer >= RUN) printf("%d", now.who); printf("|%s\n", post); };
#else
#define PRE
#define SHOW
#define POST(name)       printf(XSTR(ACT name\n))
#define POST_N(name,v)   printf(XSTR(ACT name %d\n), v)
#endif

/* ---- who does it ------------------------------------------------------------------ */

#define FRAME(f) :: Defer(f) :: Return(f) :: Recover(f)

#define HOST active proctype host() { \
	do \
	:: atomic { \
	STILL \
	if \
	:: Begin(RECOVERABLE) :: Begin(EXIT) :: Begin(FATAL) \
	FRAME(0) TWO THREE \
	:: Recover(NR) :: NextDefer() :: EndDefer() :: Reset() CALLS \
	fi; \
	d_step { CHECK; SHOW SCRUB } } \
	od \
}
#if NR >= 2
#define TWO FRAME(1)
#else
#define TWO
#endif
#if NR >= 3
#define THREE FRAME(2)
#else
#define THREE
#endif
#if NM >= 2
#define CALLS :: Call() :: Leave()
#else
#define CALLS
#endif
