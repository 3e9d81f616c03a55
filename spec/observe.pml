/* What an action shows to the outside: in a replay its name ("ACT ..."), with -DLTS
 * every edge of the state graph as package spec writes it ("E from|action answer|to").
 * An action starts with PRE and ends with one of the POSTs, by its parameters: none, a
 * slot, a slot and a number, a number, a deadline or NIL. The host shows the edge when it is complete. */

#define GONE        1		/* answers, 0 is none: see Block, Deliver, IoDone */
#define STALE       2
#define WRONGSOURCE 3
#define WOKE_ARMED  4		/* Latched */
#define WOKEN       5
#define LATE        6
#define EARLY       7
#define RESUMED     8
#define REQUEUED    9
#define KILLED      10
#define CANCELLED   11
#define PARKED      12
#define PINNED      13
#define DEADLOCK    14
#define INVERSION   15

#ifdef LTS
c_decl {
static char pre[200], post[200], label[40];
static const char *told[] = {"-", "Gone", "Stale", "WrongSource", "Latched", "Woken", "Late", "Early",
	"Resumed", "Requeued", "Killed", "Cancelled", "Parked", "Pinned", "Deadlock", "StackInversion"};
}
#define PUT(v)   *p++ = (v) == NIL ? '-' : '0' + (v);
#define PUTT(v)  *p++ = (v) == NIL ? '-' : '0' + (v) - NF;
#define KEY(buf) { char *p = buf; int z, w, o; Q1 *q = (Q1 *) qptr(now.ready - 1); \
	for (z = 0; z < N; z++) { \
		*p++ = "drwqit"[now.st[z]]; PUT(now.arm[z]) PUT(now.seq[z]) \
		for (w = 0; w < NW; w++) { PUT(now.hand[z*NW+w]) } \
		*p++ = ' '; \
	} \
	for (z = 0; z < NF; z++) { \
		PUT(now.frames[z]) PUT(now.doomed[z]) PUT(now.cancel[z]) \
		for (w = 0; w < NT; w++) { PUTT(now.chain[z*ROOM+w]) } \
		*p++ = ' '; \
	} \
	for (z = 0; z < NF; z++) { PUT(z < q->Qlen ? q->contents[z].fld0 : NIL) } \
	*p++ = '>'; PUT(now.cur) \
	for (z = 0; z < NK; z++) { \
		for (o = NIL, w = 0; w < NF; w++) if (now.own[w] == z) o = w; \
		*p++ = ' '; PUT(now.tok[z]) PUT(o) PUT(now.iow[z]) PUT(now.dev[z]) \
	} \
	KEY_CLOCK KEY_MASKS KEY_GRACE KEY_PINS KEY_LIVES KEY_TIES KEY_OUTSIDE KEY_LENT KEY_VERDICT KEY_HELD \
	*p = 0; }
#if ND > 0
#define KEY_CLOCK for (z = 0; z < ND; z++) { \
		*p++ = ' '; \
		*p++ = now.due[z] == NIL ? '-' : now.due[z] < NF ? 'f' : 't'; \
		*p++ = now.due[z] == NIL ? '-' : '0' + (now.due[z] < NF ? now.due[z] : now.due[z] - NF); \
		PUT(now.alone[z]) \
	}
#else
#define KEY_CLOCK
#endif
#if NM > 0
#define KEY_MASKS *p++ = ' '; for (z = 0; z < NF; z++) { PUT(now.masks[z]) }
#else
#define KEY_MASKS
#endif
#if NG > 0
#define KEY_GRACE *p++ = ' '; PUT(now.grace)
#else
#define KEY_GRACE
#endif
#if NP > 0
#define KEY_PINS *p++ = ' '; \
	for (z = 0; z < NF; z++) { PUT(now.nests[z]) PUT(now.fatal[z]) } \
	*p++ = '/'; for (z = 0; z < NP; z++) { PUT(now.pins[z]) }
#else
#define KEY_PINS
#endif
#if NL > 0
#define KEY_LIVES *p++ = ' '; for (z = 0; z < N; z++) { PUT(now.life[z]) }
#else
#define KEY_LIVES
#endif
#if NV > 0
#define KEY_TIES *p++ = ' '; for (z = 0; z < NF; z++) { PUT(now.movable[z]) PUT(now.tied[z]) }
#else
#define KEY_TIES
#endif
#if NO > 0
#define KEY_OUTSIDE *p++ = ' '; for (z = 0; z < N; z++) { PUT(now.out[z]) } PUT(now.promised)
#else
#define KEY_OUTSIDE
#endif
#if NE > 0
#define KEY_LENT *p++ = ' '; for (z = 0; z < NF; z++) { PUT(now.lent[z]) }
#else
#define KEY_LENT
#endif
#if NR > 0
#define KEY_VERDICT *p++ = ' '; *p++ = now.verdict == NONE ? '-' : *told[now.verdict] == 'D' ? 'D' : 'I';
#else
#define KEY_VERDICT
#endif
#if NH > 0
#define KEY_HELD *p++ = ' '; for (z = 0; z < NF; z++) { PUT(now.held[z]) }
#else
#define KEY_HELD
#endif
byte a, b;
#define PRE               c_code { KEY(pre) };
#define LABEL(form, ...)  c_code { sprintf(label, form, ## __VA_ARGS__); }; a = 0; b = 0
#define KIND(v)           (v) >= NF ? 't' : 'f', (v) >= NF ? (v) - NF : (v)
#define POST(name)        LABEL(#name)
#define POST_S(name,c)    a = c; LABEL(#name " %c%d", KIND(now.a))
#define POST_SN(name,c,t) a = c; b = t; LABEL(#name " %c%d %d", KIND(now.a), now.b)
#define POST_N(name,t)    a = t; LABEL(#name " %d", now.a)
#define SHOW              c_code { KEY(post) printf("E %s|%s %s|%s\n", pre, label, told[now.answer], post); };
#else
#define PRE
#define SHOW
#define KIND(v)           (TRAMP(v) -> 116 : 102), (TRAMP(v) -> (v)-NF : (v))	/* t, f */
#define POST(name)        printf(XSTR(ACT name\n))
/* No parameter may be called c, d or n: the letters of a format are tokens to cpp. */
#define POST_S(name,w)    printf(XSTR(ACT name %c%d\n), KIND(w))
#define POST_SN(name,w,t) printf(XSTR(ACT name %c%d %d\n), KIND(w), t)
#define POST_N(name,t)    printf(XSTR(ACT name %d\n), t)
#endif
#define POST_BY(name,d)   if :: (d) == NIL -> POST(name) :: else -> POST_N(name by, d) fi
