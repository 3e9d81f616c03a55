/* Channels and selects: the specification of record of wait.Chan and wait.Select.
 *
 * A channel is a pure machine over the ticket interface of the scheduler. It decides who
 * must be woken, and never wakes anybody itself. This model puts just as much of a
 * scheduler around it as a channel can see of one:
 *
 *   - A fiber that waits has a ticket. The wait is armed first, registered with the
 *     channels, and then blocked; a delivery in between is latched and not lost. To a
 *     channel armed and blocked are the same, so here both are one state, WAITS, which
 *     one action enters. That nothing is lost in between is shown by scheduler.pml.
 *   - A wakeup is delivered before the next operation on any object. So the operation
 *     that decides it, the end of the wait, and the withdrawal of the wait from all its
 *     channels are one indivisible step here.
 *   - A wait can end by somebody else: its deadline, a cancel, a kill. To a channel these
 *     are one, GiveUp, except when the fiber dies of it.
 *   - The woken fiber runs some time later and claims how its wait ended. Much can
 *     happen before that, its death too.
 *
 * A wait is a select of one or two cases: to send to a channel or to receive from one.
 * A plain send or receive that blocks is a select of one case. Case number 2*c is "send
 * to channel c", 2*c+1 is "receive from channel c".
 *
 * An action is one indivisible step and equals one call of the API. Its first line is its
 * guard: when that does not hold the call is refused and changes nothing. Numbers of
 * tickets and of values are the smallest that nobody has: they cannot be told from new
 * ones, and the graph is finite.
 *
 * Bounds: -DNF= -DNC= (fibers, channels), -DCAP0= -DCAP1= (how many values each channel
 * buffers), -DSEL=1 (waits of two cases too). BUG=n injects a known mistake; package
 * spec/channel lists them. channel_world.pml says what must hold and tries everything.
 */
#ifndef NF
#define NF 2
#endif
#ifndef NC
#define NC 1
#endif
#ifndef CAP0
#define CAP0 0
#endif
#ifndef CAP1
#define CAP1 0
#endif
#ifndef SEL
#define SEL 0
#endif
#if NF > 3 || NC > 2 || NC < 1 || CAP0 > 2 || CAP1 > 2
#error bounds: NF 1..3, NC 1..2, capacities 0..2
#endif
#define NIL    255		/* no ticket, no case, no value */
#define VALUES (CAP0+CAP1+2*NF+1)	/* more than can be on their way at a time */
#define ROOM   (2*NF+2)		/* of a queue: two cases a fiber, and some for mistakes */

#define DEAD  0
#define READY 1			/* its own code can run: it may call what it likes */
#define WAITS 2			/* armed or blocked: only others can do something */
#define WOKEN 3			/* the wait has ended, the fiber has not claimed it yet */

#define OK     1		/* how a wait ended: the case with its tag was done */
#define CLOSED 2		/* the channel of that case was closed */
#define QUIT   3		/* by no channel: deadline, cancel */

byte st[NF];
byte seq[NF] = NIL;		/* the number of its ticket, until it claims */
byte first[NF] = NIL;		/* the cases of its wait; the tag of the first is 0 */
byte second[NF] = NIL;
byte code[NF];			/* how the wait ended, and by which case */
byte tag[NF];

bool closed[NC];
chan buf[NC] = [4] of { byte };				/* values */
chan recvs[NC] = [ROOM] of { byte, byte, byte };	/* fiber, ticket, tag */
chan sends[NC] = [ROOM] of { byte, byte, byte, byte };	/* and the value it offers */
byte given[NC*NF] = NIL;	/* value assigned to a receiver, and not collected */

byte x, y, z, v, w, i, j, n, answer;	/* scratch, 0 between actions */
#define SCRUB x = 0; y = 0; z = 0; v = 0; w = 0; i = 0; j = 0; n = 0; answer = NONE

#define SENDS(k)     ((k) % 2 == 0)
#define CH(k)        ((k) / 2)
#define CAP(c)       ((c) == 0 -> CAP0 : CAP1)
#define CASE(f,t)    ((t) == 0 -> first[f] : second[f])
#define GIVEN(c,f)   given[(c)*NF+(f)]
#define CAN_SEND(c)  (closed[c] || len(buf[c]) < CAP(c) || len(recvs[c]) > 0)
#define CAN_RECV(c)  (closed[c] || len(buf[c]) > 0 || len(sends[c]) > 0)
#define POSSIBLE(k)  (SENDS(k) && CAN_SEND(CH(k)) || !SENDS(k) && CAN_RECV(CH(k)))

#include "must.pml"
#include "channel_world.pml"

/* ---- parts ------------------------------------------------------------------------ */

/* Ticket n of fiber f is registered nowhere any more. What its send cases offered is
 * its own again. */
inline withdraw(f, t) {
	i = 0;
	do
	:: i < NC ->
		do
		:: recvs[i]??[eval(f),eval(t),_] -> recvs[i]??eval(f),eval(t),_; UNLINE(i, f)
		:: else -> break
		od;
		do
		:: sends[i]??[eval(f),eval(t),_,_] -> sends[i]??eval(f),eval(t),_,w; UNDUE(i, w); ENDS(w)
		:: else -> break
		od;
		i++
	:: else -> break
	od
}

/* The wait of ticket t of fiber f ends, by a channel or otherwise; from this moment it is
 * registered nowhere (I10). A ticket that is not of the current wait is stale: nothing
 * happens. */
inline wake(f, t, how, by) {
	if
	:: st[f] == WAITS && seq[f] == t ->
		st[f] = WOKEN; code[f] = how; tag[f] = by;
		if :: BUG == 1 && how == OK || BUG == 9 && how == QUIT :: else -> withdraw(f, t) fi
	:: else
	fi
}

/* The receiver that has waited longest leaves the queue: x, its ticket y, its tag z. */
inline pop_receiver(c) {
	if :: BUG == 2 -> j = 1; do :: j < len(recvs[c]) -> recvs[c]?x,y,z; recvs[c]!x,y,z; j++ :: else -> break od :: else fi;
	recvs[c]?x,y,z; LINED(c, x)
}

/* The sender that has waited longest leaves the queue, its value w is accepted. */
inline accept_sender(c) {
	if :: BUG == 14 -> j = 1; do :: j < len(sends[c]) -> sends[c]?x,y,z,w; sends[c]!x,y,z,w; j++ :: else -> break od :: else fi;
	sends[c]?x,y,z,w; FATE(x, ACCEPTED)
}

inline register(f, k, t) {
	if
	:: SENDS(k) -> NEWVALUE(w); sends[CH(k)]!f,seq[f],t,w; DUE(CH(k), w)
	:: else -> recvs[CH(k)]!f,seq[f],t; LINE(CH(k), f)
	fi
}

inline forget(f) { seq[f] = NIL; first[f] = NIL; second[f] = NIL; code[f] = 0; tag[f] = 0; FATE(f, 0) }

/* ---- actions ---------------------------------------------------------------------- */

inline Spawn(f) { d_step {
	st[f] == DEAD -> PRE
	st[f] = READY;
	POST_F(Spawn, f)
}}

/* TrySend. The first that applies:
 *   somebody waits to receive -> Handed: the value is that receiver's from now on (I11)
 *   the channel is closed     -> Closed: refused
 *   there is room             -> Buffered
 *   otherwise                 -> Full: it would block */
inline Send(f, c) { d_step {
	st[f] == READY -> PRE
	if
	:: len(recvs[c]) > 0 && BUG != 3 ->
		pop_receiver(c); NEWVALUE(v);
		if :: BUG != 10 -> GIVEN(c,x) = v; FATE(x, ASSIGNED) :: else -> DUE(c, v); buf[c]!v fi;
		wake(x, y, OK, z); answer = HANDED
	:: !(len(recvs[c]) > 0 && BUG != 3) && closed[c] -> answer = SHUT
	:: !(len(recvs[c]) > 0 && BUG != 3) && !closed[c] && len(buf[c]) < CAP(c) + (BUG == 11 -> 1 : 0) ->
		NEWVALUE(v); DUE(c, v); buf[c]!v; answer = BUFFERED
	:: else -> answer = FULL
	fi;
	DID_SEND(c)
	POST_FC(Send, f, c)
}}

/* TryRecv. The first that applies:
 *   a value is buffered     -> Received: the oldest. The sender that has waited longest,
 *                              if any, is accepted: its value takes the free place
 *   somebody waits to send  -> Received: the value of the one that has waited longest
 *   the channel is closed   -> Closed: and drained, no value will ever come
 *   otherwise               -> Empty: it would block */
inline Recv(f, c) { d_step {
	st[f] == READY -> PRE
	if
	:: len(buf[c]) > 0 && !(BUG == 4 && len(sends[c]) > 0) ->
		if :: BUG != 15 -> buf[c]?v :: else -> buf[c]?<v> fi;
		TAKEN(c, v); answer = RECEIVED;
		if
		:: len(sends[c]) > 0 ->
			accept_sender(c);
			if :: BUG != 12 -> buf[c]!w :: else fi;
			wake(x, y, OK, z)
		:: else
		fi
	:: !(len(buf[c]) > 0 && !(BUG == 4 && len(sends[c]) > 0)) && len(sends[c]) > 0 ->
		accept_sender(c); TAKEN(c, w);
		wake(x, y, OK, z); answer = RECEIVED
	:: len(buf[c]) == 0 && len(sends[c]) == 0 && closed[c] -> answer = SHUT
	:: else -> answer = EMPTY
	fi;
	DID_RECV(c)
	POST_FC(Recv, f, c)
}}

/* The fiber waits for whichever of its cases is possible first: Park of one, or of a
 * Select. None may be possible now (ErrReady otherwise: it could miss its wake, I9). The
 * same channel may be in both cases. */
inline Wait(f, a) { d_step {
	st[f] == READY && !POSSIBLE(a) -> PRE
	prepare(f); first[f] = a; register(f, a, 0);
	POST_F1(Wait, f, a)
}}
inline Select(f, a, b) { d_step {
	st[f] == READY && !POSSIBLE(a) && !POSSIBLE(b) -> PRE
	prepare(f); first[f] = a; second[f] = b;
	if
	:: BUG == 13 -> register(f, b, 1); register(f, a, 0)
	:: else -> register(f, a, 0); register(f, b, 1)
	fi;
	POST_F2(Wait, f, a, b)
}}
inline prepare(f) {
	n = 0;
	do
	:: REGISTERED(f, n) -> n++
	:: else -> break
	od;
	seq[f] = n; st[f] = WAITS
}

/* Close: those who wait are woken with Closed, the receivers first, each in order of
 * arrival; a select that waits here several times is woken once. The value of a sender
 * that was not accepted before is dropped: its send has failed. What was assigned or
 * accepted before stays so; what is buffered stays. Closing twice is refused. */
inline Close(c) { d_step {
	!closed[c] -> PRE
	closed[c] = true;
	do
	:: len(recvs[c]) > 0 -> pop_receiver(c); FATE(x, REFUSED); wake(x, y, CLOSED, z)
	:: else -> break
	od;
	do
	:: len(sends[c]) > 0 && BUG != 8 ->
		sends[c]?x,y,z,w; UNDUE(c, w); ENDS(w); FATE(x, REFUSED);
		n = (BUG == 6 -> OK : CLOSED); wake(x, y, n, z)
	:: else -> break
	od;
	i = (BUG == 7 -> 0 : NF);
	do
	:: i < NF -> if :: code[i] == OK && CASE(i,tag[i]) == 2*c -> code[i] = CLOSED :: else fi; i++
	:: else -> break
	od;
	POST_C(Close, c)
}}

/* The wait ends, but by no channel: its deadline has come or it was cancelled. If a
 * channel has ended it already, that stands, and this is nothing. */
inline GiveUp(f) { d_step {
	st[f] == WAITS -> PRE
	FATE(f, GAVEUP); wake(f, seq[f], QUIT, 0);
	POST_F(GiveUp, f)
}}

/* The woken fiber runs again and collects:
 *   a send that was accepted             -> Sent, even if the channel is closed by now
 *   a receive to which one was assigned  -> Received: that value
 *   the channel was closed first         -> Closed: never taken for a success
 *   it gave up                           -> Quit */
inline Claim(f) { d_step {
	st[f] == WOKEN -> PRE
	v = CASE(f,tag[f]);
	if
	:: code[f] == OK && SENDS(v) -> answer = SENT; MUST(I11, fate[f] == ACCEPTED)
	:: code[f] == OK && !SENDS(v) ->
		answer = RECEIVED; MUST(I11, fate[f] == ASSIGNED);
		ENDS(GIVEN(CH(v),f)); GIVEN(CH(v),f) = NIL
	:: code[f] == CLOSED -> answer = SHUT; MUST(I11, fate[f] == REFUSED)
	:: code[f] == QUIT -> answer = LEFT; MUST(I11, fate[f] == GAVEUP)
	fi;
	st[f] = READY; forget(f);
	POST_F(Claim, f)
}}

/* The fiber dies. If it waits, it waits no more. A value that was assigned to it and not
 * collected is Lost: counted and handed to a hook (I12), not offered to another receiver,
 * which would get it out of order. */
inline Kill(f) { d_step {
	st[f] != DEAD -> PRE
	if :: st[f] == WAITS -> withdraw(f, seq[f]) :: else fi;
	j = 0;
	do
	:: j < NC ->
		if
		:: GIVEN(j,f) != NIL && BUG != 5 -> ENDS(GIVEN(j,f)); GIVEN(j,f) = NIL; answer = LOST
		:: else
		fi;
		j++
	:: else -> break
	od;
	st[f] = DEAD; forget(f);
	POST_F(Kill, f)
}}

HOST
#ifdef LIVE
#include "channel_liveness.pml"
#endif
