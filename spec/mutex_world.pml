/* The world around mutex.pml: what it remembers to judge by, what must hold after every
 * action, what a replay prints, and the host that tries every action with every
 * parameter. mutex_liveness.pml says what must happen in the end. */

/* ---- the judge's memory: no action decides by it ---------------------------------- */

bool knows[NF];				/* it was told that it has the lock */
chan arrived = [ROOM] of { byte };	/* who waits, in order of arrival */

#define KNOWS(f,what) knows[f] = what
#define LINE(f)       arrived!f;
#if NC > 0
chan asleep = [ROOM] of { byte };	/* who waits for a signal, in order of arrival */
#define SLEEPS(f)     asleep!f;
#define CALLED(f)     MUST(I11, asleep?[eval(f)]); asleep??eval(f);
#define UNLINE(f)     if :: arrived??[eval(f)] -> arrived??eval(f) :: asleep??[eval(f)] -> asleep??eval(f) :: else fi
#else
#define UNLINE(f)     arrived??eval(f)
#endif
#define LINED(f)      MUST(I11, arrived?[eval(f)]); UNLINE(f)

#ifdef LIVE
byte did;		/* what the last action did: an owner let go, by unlock or death */
#define LETGO       1
#define SIGNALLED   2		/* or somebody who slept was called */
#define RELEASED    did = LETGO;
#define DID_SIGNAL  did = SIGNALLED
#define DID_NOTHING did = 0;
#else
#define RELEASED
#define DID_SIGNAL  skip
#define DID_NOTHING
#endif

/* ---- what must hold --------------------------------------------------------------- */

#if NC > 0
/* Who waits for a signal instead, likewise. Who was chosen has the lock or waits for it. */
#define CHECK_HALL \
	z = 0; \
	do \
	:: z < len(hall) -> \
		hall?x,y; hall!x,y; z++; \
		if :: x == i -> n++; MUST(I10, st[i] == WAITS && seq[i] == y && !chosen[i]) :: else fi \
	:: else -> break \
	od; \
	MUST(I10, !chosen[i] || st[i] == WAITS || code[i] == OK);
#define NOBODY_SLEEPS (len(hall) == 0)
#else
#define CHECK_HALL
#define NOBODY_SLEEPS true
#endif

/* I10: who is in the line waits, under that ticket, and is there once.
 * I9:  who waits is in the line.
 * I11: exactly the owner was told that it has the lock, or will be: never two.
 * I12: and it lives. */
inline check_fibers() {
	i = 0;
	do
	:: i < NF ->
		z = 0; n = 0;
		do
		:: z < len(line) ->
			line?x,y; line!x,y; z++;
			if :: x == i -> n++; MUST(I10, st[i] == WAITS && seq[i] == y) :: else fi
		:: else -> break
		od;
		CHECK_HALL
		MUST(I10, n <= 1);
		MUST(I9, n == (st[i] == WAITS -> 1 : 0));
		MUST(I10, (st[i] == WAITS || st[i] == WOKEN) == (seq[i] != NIL));
		MUST(I10, (st[i] == WOKEN) == (code[i] != 0));
		MUST(I11, (knows[i] || code[i] == OK) == (owner == i && st[i] != DEAD));
		MUST(I12, owner != i || st[i] != DEAD);
		i++
	:: else -> break
	od
}

/* I11: the ticket of a hand-over is kept exactly until its fiber has claimed.
 * I9:  nobody waits for a lock that is free.
 * I12: a poisoned lock has no owner, and nobody waits for it. */
inline check_lock() {
	MUST(I11, owner != NIL || granted == NIL);
	if
	:: owner != NIL -> MUST(I11, (granted != NIL) == (st[owner] == WOKEN) && (granted == NIL || granted == seq[owner]))
	:: else
	fi;
	MUST(I9, owner != NIL || len(line) == 0);
	MUST(I12, !poisoned || owner == NIL && NOBODY_SLEEPS)
}

#ifdef LIVE			/* the states are not checked again */
#define CHECK skip
#else
#define CHECK check_fibers(); check_lock()
#endif

/* ---- what an action shows --------------------------------------------------------- */

#define NONE    0
#define LOCKED  1		/* answers: see Lock, Unlock, Claim, Kill */
#define BUSY    2
#define DOUBLE  3
#define SPOILED 4		/* Poisoned */
#define HANDED  5
#define FREED   6
#define LEFT    7		/* Quit */

#ifdef LTS
c_decl {
static char pre[100], post[100], label[40];
static const char *told[] = {"-", "Locked", "Busy", "Double", "Poisoned", "Handed", "Freed", "Quit"};
}
#define PUT(v)            *p++ = (v) == NIL ? '-' : '0' + (v);
#define KEY(out) { char *p = out; int o; \
	for (o = 0; o < NF; o++) { \
		*p++ = "drwe"[now.st[o]]; PUT(now.seq[o]) PUT(now.code[o]) *p++ = ' '; \
	} \
	PUT(now.owner) PUT(now.granted) *p++ = ".p"[now.poisoned]; *p++ = ' '; \
	for (o = 0; o < q_len(now.line); o++) { \
		PUT(qrecv(now.line, o, 0, 0)) PUT(qrecv(now.line, o, 1, 0)) *p++ = ','; \
	} \
	KEY_HALL \
	*p = 0; }
#if NC > 0
#define KEY_HALL *p++ = ' '; \
	for (o = 0; o < q_len(now.hall); o++) { \
		PUT(qrecv(now.hall, o, 0, 0)) PUT(qrecv(now.hall, o, 1, 0)) *p++ = ','; \
	} \
	*p++ = ' '; for (o = 0; o < NF; o++) { PUT(now.chosen[o]) }
#else
#define KEY_HALL
#endif
byte a1;		/* the parameter of the action, for the code in C */
#define PRE              c_code { KEY(pre) };
#define LABEL(form, ...) c_code { sprintf(label, form, ## __VA_ARGS__); }; a1 = 0
#define POST(name)       LABEL(#name)
#define POST_F(name,f)   a1 = f; LABEL(#name " f%d", now.a1)
#define SHOW             c_code { KEY(post) printf("E %s|%s %s|%s\n", pre, label, told[now.answer], post); };
#else
#define PRE
#define SHOW
#define POST(name)       printf(XSTR(ACT name\n))
#define POST_F(name,w)   printf(XSTR(ACT name f%d\n), w)
#endif

/* ---- who does it ------------------------------------------------------------------ */

#define FIBER(f) :: Spawn(f) :: Lock(f) :: Wait(f) :: Unlock(f) :: GiveUp(f) :: Claim(f) :: Kill(f) AWAIT(f)

#define HOST active proctype host() { \
	do \
	:: atomic { \
	DID_NOTHING \
	if \
	FIBER(0) TWO THREE FOUR \
	:: Repair() CONDITION \
	fi; \
	d_step { CHECK; SHOW SCRUB } } \
	od \
}
#if NF >= 2
#define TWO FIBER(1)
#else
#define TWO
#endif
#if NF >= 3
#define THREE FIBER(2)
#else
#define THREE
#endif
#if NF >= 4
#define FOUR FIBER(3)
#else
#define FOUR
#endif
