/* What must happen in the end. Built with -DLIVE, run with pan -a -N claim.
 *
 * Fairness is written out as sets that must recur:
 *   CPU     the running code gives the CPU up in the end (its budget)
 *   DRIVER  Next is called while work is queued and nothing runs, Unpin while the
 *           innermost pinned call may go on
 *   third   TICKETS: the live ticket of fiber 0's chain is used in the end;
 *           DEVICE: an operation completes in the end; TIME: its deadline comes in the
 *           end; or nothing
 * A claim is the Buchi automaton of
 *   not ( []<>CPU && []<>DRIVER && []<>third  ->  [](P -> <>Q) )
 * degeneralised by hand: spin's translator needs minutes for the formula. */

#define CPU     (cur == NIL)
#define DRIVER  (cur != NIL || len(ready) == 0 && !GOES_ON)
#define TICKETS_USED (seq[TOP(0)] == NIL || HAND(TOP(0),seq[TOP(0)]) == NONE)
#define DEVICE  (!dev[0])
#define TIME    (!DUE(0))
#define ON      (st[0] == RUNNING || st[0] == DEAD)

#define LEADSTO(P,Q,third) \
	do :: true :: (P) && !(Q) -> break od; \
	wait1: if :: !(Q) && CPU -> goto wait2    :: !(Q) -> goto wait1 fi; \
	wait2: if :: !(Q) && DRIVER -> goto wait3 :: !(Q) -> goto wait2 fi; \
	wait3: if :: !(Q) && third -> goto accept :: !(Q) -> goto wait3 fi; \
	accept: if :: !(Q) -> goto wait1 fi

/* I9: who is in the ready queue runs, unless it is held there. */
never no_starvation { LEADSTO(st[0] == RUNNABLE && !HELD(0), ON || HELD(0), true) }
/* I9: who waits for a peer runs when its ticket is used, its whole chain with it. */
never no_lost_wake { LEADSTO(st[0] == BLKQ, ON, TICKETS_USED) }
/* I9: who waits for a token runs when the operation completes. */
never io_returns { LEADSTO(st[0] == BLKIO, ON, DEVICE) }
#if ND > 0
/* I9: who waits for a deadline only runs when it has come. */
never timer_returns { LEADSTO(st[0] == BLKT, ON, TIME) }
#endif
/* Cancelled or killed while blocked, or killed while held, it runs (to unwind) or dies: whatever peers and
 * devices do. `heard' remembers that until it does. */
never cancel_is_heard { LEADSTO(heard == CANCELLED, ON, true) }
never kill_is_heard { LEADSTO(heard == KILLED, ON, true) }

#if NP > 0
/* I9: native calls return. A pinned call that may go on does, if those above it return:
 * again and again nobody lies above it. */
#define UNBURIED (cur == NIL && (PINS(0) == 0 || INNER == 0))
never pinned_returns {
	LEADSTO(PINS(0) > 0 && st[TOP(0)] == RUNNING, cur == 0 || st[0] == DEAD, UNBURIED)
}
/* I9: a pump that nothing can end is ended, if whoever runs it gives the verdict. */
never verdict_is_given { SERVED(STUCK && INNER == 0, !CAN_FAIL_PINNED) }
#endif
