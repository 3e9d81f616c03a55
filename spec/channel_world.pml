/* The world around channel.pml: what it remembers to judge by, what must hold after every
 * action, what a replay prints, and the host that tries every action with every parameter.
 * channel_liveness.pml says what must happen in the end. */

/* ---- the judge's memory: no action decides by it ---------------------------------- */

#define ACCEPTED 1		/* a sender's value was taken */
#define ASSIGNED 2		/* a receiver was given a value */
#define REFUSED  3		/* its channel was closed first */
#define GAVEUP   4

byte fate[NF];				/* what became of the wait, whatever the fiber is told */
bool live[VALUES];			/* the value was sent or offered, and has not arrived */
chan line[NC] = [ROOM] of { byte };	/* receivers, in order of arrival */
chan due[NC] = [VALUES] of { byte };	/* values of a channel, in order of arrival */

#define FATE(f,what) fate[f] = what
#define LINE(c,f)    line[c]!f
#define UNLINE(c,f)  line[c]??eval(f)
#define LINED(c,f)   MUST(I11, line[c]?[eval(f)]); UNLINE(c, f)
#define DUE(c,v)     due[c]!v
#define UNDUE(c,v)   due[c]??eval(v)
/* A value comes into being, with the smallest number that none has. */
#define NEWVALUE(v)  v = 0; do :: live[v] -> v++ :: else -> break od; live[v] = true
/* I12: it ends once. */
#define ENDS(v)      MUST(I12, live[v]); live[v] = false
/* I11: and arrives in order. */
#define TAKEN(c,v)   MUST(I11, due[c]?[eval(v)]); UNDUE(c, v); ENDS(v)

#define IN(c,f,n)    (recvs[c]??[eval(f),eval(n),_] || sends[c]??[eval(f),eval(n),_,_])
#if NC == 1
#define REGISTERED(f,n) IN(0,f,n)
#else
#define REGISTERED(f,n) (IN(0,f,n) || IN(1,f,n))
#endif

/* ---- what must hold --------------------------------------------------------------- */

/* I10: what is registered is a case of a wait that is on, under its ticket.
 * I9:  every case of a wait that is on is registered: n counts down to nothing. */
inline check_registrations() {
	i = 0;
	do
	:: i < NF ->
		n = (st[i] == WAITS -> (first[i] != NIL -> 1 : 0) + (second[i] != NIL -> 1 : 0) : 0);
		j = 0;
		do
		:: j < NC ->
			w = 0;
			do
			:: w < len(recvs[j]) ->
				recvs[j]?x,y,z; recvs[j]!x,y,z; w++;
				if
				:: x == i -> MUST(I10, n > 0 && seq[i] == y && CASE(i,z) == 2*j+1); n--
				:: else
				fi
			:: else -> break
			od;
			w = 0;
			do
			:: w < len(sends[j]) ->
				sends[j]?x,y,z,v; sends[j]!x,y,z,v; w++;
				if
				:: x == i -> MUST(I10, n > 0 && seq[i] == y && CASE(i,z) == 2*j); n--
				:: else
				fi
			:: else -> break
			od;
			j++
		:: else -> break
		od;
		MUST(I9, n == 0);
		i++
	:: else -> break
	od
}

/* I11: a buffer holds no more than its channel's capacity.
 * I9:  nobody waits for what is possible: to receive while a value is buffered, to send
 *      while there is room, on a channel that is closed. A receiver and a sender wait at
 *      once only if they are one select. */
inline check_channels() {
	j = 0;
	do
	:: j < NC ->
		MUST(I11, len(buf[j]) <= CAP(j));
		MUST(I9, len(recvs[j]) == 0 || !closed[j] && len(buf[j]) == 0);
		MUST(I9, len(sends[j]) == 0 || !closed[j] && len(buf[j]) == CAP(j));
		if
		:: len(recvs[j]) > 0 && len(sends[j]) > 0 ->
			recvs[j]?<x,y,z>; w = 0;
			do
			:: w < len(sends[j]) -> sends[j]?n,y,z,v; sends[j]!n,y,z,v; w++; MUST(I9, n == x)
			:: else -> break
			od
		:: else
		fi;
		j++
	:: else -> break
	od
}

/* I12: every value that was sent and has not arrived, been taken back, dropped or lost is
 *      in exactly one place: in a buffer, with a parked sender, assigned to a receiver.
 * I11: an assigned value belongs to a fiber whose receive from that channel succeeded,
 *      and each such fiber has one. */
inline check_values() {
	v = 0;
	do
	:: v < VALUES ->
		n = 0; j = 0;
		do
		:: j < NC ->
			w = 0;
			do :: w < len(buf[j]) -> buf[j]?x; buf[j]!x; w++; if :: x == v -> n++ :: else fi :: else -> break od;
			w = 0;
			do
			:: w < len(sends[j]) -> sends[j]?x,y,z,i; sends[j]!x,y,z,i; w++; if :: i == v -> n++ :: else fi
			:: else -> break
			od;
			j++
		:: else -> break
		od;
		j = 0;
		do :: j < NC*NF -> if :: given[j] == v -> n++ :: else fi; j++ :: else -> break od;
		MUST(I12, n == live[v]);
		v++
	:: else -> break
	od;
	j = 0;
	do
	:: j < NC*NF ->
		i = j % NF;
		MUST(I11, (given[j] != NIL) ==
			(st[i] == WOKEN && code[i] == OK && CASE(i,tag[i]) == 2*(j / NF)+1));
		j++
	:: else -> break
	od
}

/* I10: nothing is left of a wait that was claimed, or of the dead. */
inline check_fibers() {
	i = 0;
	do
	:: i < NF ->
		MUST(I10, (st[i] == WAITS || st[i] == WOKEN) == (seq[i] != NIL));
		MUST(I10, (seq[i] != NIL) == (first[i] != NIL));
		MUST(I10, (st[i] == WOKEN) == (code[i] != 0));
		i++
	:: else -> break
	od
}

#ifdef LIVE			/* the states are not checked again */
#define CHECK skip
#else
#define CHECK check_registrations(); check_channels(); check_values(); check_fibers()
#endif

#ifdef LIVE
byte did;		/* what the last action did on channel 0: a send, a receive */
#define SEND_DONE    1
#define RECV_DONE    2
#define DID_SEND(c) if :: (c) == 0 && (answer == HANDED || answer == BUFFERED) -> did = SEND_DONE :: else fi;
#define DID_RECV(c) if :: (c) == 0 && answer == RECEIVED -> did = RECV_DONE :: else fi;
#define DID_NOTHING did = 0;
#else
#define DID_SEND(c)
#define DID_RECV(c)
#define DID_NOTHING
#endif

/* ---- what an action shows --------------------------------------------------------- */

#define NONE     0
#define HANDED   1		/* answers: see Send, Recv, Claim, Kill */
#define BUFFERED 2
#define FULL     3
#define RECEIVED 4
#define EMPTY    5
#define SHUT     6		/* Closed */
#define SENT     7
#define LEFT     8		/* Quit */
#define LOST     9

#ifdef LTS
c_decl {
static char pre[200], post[200], label[40];
static const char *told[] = {"-", "Handed", "Buffered", "Full", "Received", "Empty", "Closed", "Sent",
	"Quit", "Lost"};
}
#define PUT(v)            *p++ = (v) == NIL ? '-' : '0' + (v);
#define QUEUE(q, fields) for (z = 0; z < q_len(q); z++) { \
		for (w = 0; w < fields; w++) { PUT(qrecv(q, z, w, 0)) } *p++ = ','; } *p++ = ' ';
#define KEY(out) { char *p = out; int z, w, o; \
	for (o = 0; o < NF; o++) { \
		*p++ = "drwe"[now.st[o]]; PUT(now.seq[o]) PUT(now.first[o]) PUT(now.second[o]) \
		PUT(now.code[o]) PUT(now.tag[o]) *p++ = ' '; \
	} \
	for (o = 0; o < NC; o++) { \
		*p++ = "oc"[now.closed[o]]; *p++ = ' '; \
		QUEUE(now.buf[o], 1) QUEUE(now.recvs[o], 3) QUEUE(now.sends[o], 4) \
		for (z = 0; z < NF; z++) { PUT(now.given[o*NF+z]) } *p++ = ' '; \
	} \
	*p = 0; }
byte a1, a2, a3;	/* the parameters of the action, for the code in C */
#define OF(k)             "sr"[(k) % 2], (k) / 2
#define PRE               c_code { KEY(pre) };
#define LABEL(form, ...)  c_code { sprintf(label, form, ## __VA_ARGS__); }; a1 = 0; a2 = 0; a3 = 0
#define POST_F(name,f)    a1 = f; LABEL(#name " f%d", now.a1)
#define POST_C(name,c)    a1 = c; LABEL(#name " c%d", now.a1)
#define POST_FC(name,f,c) a1 = f; a2 = c; LABEL(#name " f%d c%d", now.a1, now.a2)
#define POST_F1(name,f,k) a1 = f; a2 = k; LABEL(#name " f%d %c%d", now.a1, OF(now.a2))
#define POST_F2(name,f,k,l) a1 = f; a2 = k; a3 = l; \
	LABEL(#name " f%d %c%d %c%d", now.a1, OF(now.a2), OF(now.a3))
#define SHOW              c_code { KEY(post) printf("E %s|%s %s|%s\n", pre, label, told[now.answer], post); };
#else
#define PRE
#define SHOW
#define OF(k)             ((k) % 2 -> 114 : 115), (k) / 2		/* r, s */
#define POST_F(name,w)    printf(XSTR(ACT name f%d\n), w)
#define POST_C(name,o)    printf(XSTR(ACT name c%d\n), o)
#define POST_FC(name,w,o) printf(XSTR(ACT name f%d c%d\n), w, o)
#define POST_F1(name,w,k) printf(XSTR(ACT name f%d %c%d\n), w, OF(k))
#define POST_F2(name,w,k,l) printf(XSTR(ACT name f%d %c%d %c%d\n), w, OF(k), OF(l))
#endif

/* ---- who does it ------------------------------------------------------------------ */

#define ONE(f,c)  :: Send(f, c) :: Recv(f, c) :: Wait(f, 2*c) :: Wait(f, 2*c+1)
#define BOTH(f,c) :: Select(f, 2*c, 2*c) :: Select(f, 2*c, 2*c+1) :: Select(f, 2*c+1, 2*c+1)
#define ACROSS(f) :: Select(f, 0, 2) :: Select(f, 0, 3) :: Select(f, 1, 2) :: Select(f, 1, 3)

#if SEL == 0
#define PAIRS(f)
#elif NC == 1
#define PAIRS(f) BOTH(f, 0)
#else
#define PAIRS(f) BOTH(f, 0) BOTH(f, 1) ACROSS(f)
#endif
#if NC == 1
#define FIBER(f) :: Spawn(f) :: GiveUp(f) :: Claim(f) :: Kill(f) ONE(f, 0) PAIRS(f)
#else
#define FIBER(f) :: Spawn(f) :: GiveUp(f) :: Claim(f) :: Kill(f) ONE(f, 0) ONE(f, 1) PAIRS(f)
#endif

#define HOST active proctype host() { \
	do \
	:: atomic { \
	DID_NOTHING \
	if \
	FIBER(0) TWO THREE \
	:: Close(0) SECOND \
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
#if NC >= 2
#define SECOND :: Close(1)
#else
#define SECOND
#endif
