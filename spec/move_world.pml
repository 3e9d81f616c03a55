/* The world around move.pml: what it remembers to judge by, what must hold after every
 * action, what a replay prints, and the host that tries every action with every parameter.
 * move_liveness.pml says what must happen in the end. */

/* ---- the judge's memory: no action decides by it ---------------------------------- */

byte here[2];		/* spawned and moved in, less those that died and moved out */
#define COMES(g)    here[g]++;
#define LEAVES(g)   here[g]--;

#ifdef LIVE
byte did;		/* whose turn it was: 1 + the scheduler */
#define TURN(g)     did = 1 + (g);
#define DID_NOTHING did = 0;
#else
#define TURN(g)
#define DID_NOTHING
#endif

#define JOINED_BY(f,o) (goal[o] == (f))
#if NP == 1
#define IS_JOINED(f) JOINED_BY(f,0)
#elif NP == 2
#define IS_JOINED(f) (JOINED_BY(f,0) || JOINED_BY(f,1))
#else
#define IS_JOINED(f) (JOINED_BY(f,0) || JOINED_BY(f,1) || JOINED_BY(f,2))
#endif

/* ---- what must hold --------------------------------------------------------------- */

/* n = how often f is in channel q */
inline count(q, f) {
	n = 0; z = 0;
	do :: z < len(q) -> q?y; q!y; if :: y == (f) -> n++ :: else fi; z++ :: else -> break od
}

/* I12: a fiber lives in one slot of one scheduler, or in none; who is away is kept at home;
 *      who ended away from home is told of there, once, and nowhere else.
 * I1:  the ready queue of a scheduler holds exactly those who are ready there, once.
 * I2:  current and running are the same.
 * I10: only who joins has a registration with a cell, or has had it and is ready.
 * I9:  that cell is at its own scheduler, and of somebody of whom it is yet to hear. */
inline check_fibers() {
	i = 0;
	do
	:: i < NP ->
		n = 0; z = 0;
		do :: z < SLOTS -> if :: who[z] == i -> n++ :: else fi; z++ :: else -> break od;
		MUST(I12, n == (LIVES(i) -> 1 : 0) && (at[i] != NIL) == LIVES(i));
		MUST(I12, (home[i] != NIL) == (st[i] != GONE));
		MUST(I12, kept[i] == (st[i] != GONE && !IN(i, home[i])));
		h = 0;
		do
		:: h < 2 ->
			count(inbox[h], i); MUST(I12, n == (st[i] == OVER && home[i] == h -> 1 : 0));
			count(ready[h], i); MUST(I1, n == (st[i] == READY && IN(i,h) -> 1 : 0));
			MUST(I2, (cur[h] == i) == (st[i] == RUNS && IN(i,h)));
			h++
		:: else -> break
		od;
		MUST(I10, (goal[i] != NIL) == (st[i] == JOINS) && (!told[i] || st[i] == READY));
		if
		:: goal[i] != NIL -> MUST(I9, st[goal[i]] != GONE && IN(i, home[goal[i]]))
		:: else
		fi;
		i++
	:: else -> break
	od
}

/* I5:  a ticket that passes for one of whoever lives in the slot was armed by that.
 * I9:  somebody has the ticket of who waits. */
inline check_slots() {
	i = 0;
	do
	:: i < SLOTS ->
		MUST(I5, hand[i] != MINE || who[i] != NIL);
		if :: who[i] != NIL -> MUST(I9, st[who[i]] != WAITS || hand[i] == MINE); MUST(I12, at[who[i]] == i) :: else fi;
		i++
	:: else -> break
	od
}

/* I12: on each side spawned + moved in = live + dead + moved out. */
inline check_counts() {
	i = 0;
	do
	:: i < 2 ->
		n = 0; z = 0;
		do :: z < NS -> if :: who[i*NS+z] != NIL -> n++ :: else fi; z++ :: else -> break od;
		MUST(I12, here[i] == n);
		i++
	:: else -> break
	od
}

#ifdef LIVE			/* the states are not checked again */
#define CHECK skip
#else
#define CHECK check_fibers(); check_slots(); check_counts()
#endif

/* ---- what an action shows --------------------------------------------------------- */

#define AWAY      1		/* answers: see Deliver (Gone), Stray (WrongSource), Order, Idle */
#define STALE     2
#define WOKEN     3
#define ELSEWHERE 4
#define MOVED     5
#define BUSY      6
#define IDLE      7		/* Done */
#define WAITING   8
#define DEADLOCK  9

#ifdef LTS
c_decl {
static char pre[120], post[120], label[40];
static const char *told[] = {"-", "Gone", "Stale", "Woken", "WrongSource", "MovedOut", "Busy", "Done", "Waiting", "Deadlock"};
}
#define PUT(v)  *p++ = (v) == NIL ? '-' : '0' + (v);
#define PUTS(q) for (o = 0; o < q_len(q); o++) { PUT(qrecv(q, o, 0, 0)) }
#define KEY(out) { char *p = out; int o, g; \
	for (o = 0; o < NP; o++) { \
		*p++ = "gerwjao"[now.st[o]]; PUT(now.at[o]) PUT(now.home[o]) PUT(now.goal[o]) PUT(now.kept[o]) PUT(now.told[o]) *p++ = ' '; \
	} \
	for (o = 0; o < SLOTS; o++) { PUT(now.who[o]) PUT(now.hand[o]) } \
	for (g = 0; g < 2; g++) { \
		*p++ = ' '; PUTS(now.ready[g]) *p++ = '>'; PUT(now.cur[g]) *p++ = '<'; PUTS(now.inbox[g]) \
	} \
	*p = 0; }
byte a1, a2;		/* the parameters of the action, for the code in C */
#define PRE              c_code { KEY(pre) };
#define LABEL(form, ...) c_code { sprintf(label, form, ## __VA_ARGS__); }; a1 = 0; a2 = 0
#define POST_G(name,g)    a1 = g; LABEL(#name " %d", now.a1)
#define POST_F(name,f)    a1 = f; LABEL(#name " f%d", now.a1)
#define POST_S(name,s)    a1 = s; LABEL(#name " s%d", now.a1)
#define POST_FG(name,f,g) a1 = f; a2 = g; LABEL(#name " f%d %d", now.a1, now.a2)
#define SHOW             c_code { KEY(post) printf("E %s|%s %s|%s\n", pre, label, told[now.answer], post); };
#else
#define PRE
#define SHOW
#define POST_G(name,w)    printf(XSTR(ACT name %d\n), w)
#define POST_F(name,w)    printf(XSTR(ACT name f%d\n), w)
#define POST_S(name,w)    printf(XSTR(ACT name s%d\n), w)
#define POST_FG(name,w,v) printf(XSTR(ACT name f%d %d\n), w, v)
#endif

/* ---- who does it ------------------------------------------------------------------ */

#define FIBER(f) :: Spawn(f, 0) :: Spawn(f, 1) :: Join(f) :: Wake(f) :: Kill(f) :: Order(f) \
	:: MoveOut(f) :: MoveIn(f, 0) :: MoveIn(f, 1) :: Abandon(f)
#define SLOT(s)  :: Deliver(s) :: Stray(s)
#define SCHEDULER(g) :: Next(g) :: Yield(g) :: Exit(g) :: Wait(g) :: Idle(g)

#define HOST active proctype host() { \
	do \
	:: atomic { \
	DID_NOTHING \
	if \
	FIBER(0) TWO THREE \
	SCHEDULER(0) SCHEDULER(1) \
	SLOT(0) SLOT(1) FOUR_SLOTS \
	fi; \
	d_step { CHECK; SHOW SCRUB } } \
	od \
}
#if NP >= 2
#define TWO FIBER(1)
#else
#define TWO
#endif
#if NP >= 3
#define THREE FIBER(2)
#else
#define THREE
#endif
#if NS >= 2
#define FOUR_SLOTS SLOT(2) SLOT(3)
#else
#define FOUR_SLOTS
#endif
