/* The world around the scheduler: any action that is possible, in any order. What must
 * hold is checked after each, in the same indivisible step. */

#define SLOT(c)   :: WakeID(c) :: Cancel(c) :: Kill(c) TICKETS(c)
#if NA > 0
#define BORN(f)   :: Spawn(f, 2)
#elif NV > 0 && NP > 0
#define BORN(f)   :: Spawn(f, 1) :: Spawn(f, 2) :: Spawn(f, 3)
#elif NV > 0
#define BORN(f)   :: Spawn(f, 1) :: Spawn(f, 3)
#elif NP > 0
#define BORN(f)   :: Spawn(f, 0) :: Spawn(f, 1) :: Spawn(f, 2)
#else
#define BORN(f)   :: Spawn(f, 0) :: Spawn(f, 1)
#endif
#if NV == 0
#define MOVES(f)
#elif NM == 0
#define MOVES(f)  :: MoveOut(f) :: MoveIn(f, 0)
#elif NM == 1
#define MOVES(f)  :: MoveOut(f) :: MoveIn(f, 0) :: MoveIn(f, 1)
#else
#define MOVES(f)  :: MoveOut(f) :: MoveIn(f, 0) :: MoveIn(f, 1) :: MoveIn(f, 2)
#endif
#if NE > 0
#define BACK(f)   :: Recall(f)
#else
#define BACK(f)
#endif
#if NQ == 0
#define FIRST(f)
#elif NA > 0
#define FIRST(f)  :: Spawn(f, 6)
#elif NV > 0
#define FIRST(f)  :: Spawn(f, 7)
#elif NP > 0
#define FIRST(f)  :: Spawn(f, 6)
#else
#define FIRST(f)  :: Spawn(f, 5)
#endif
#if NH > 0
#define HOLDS(f)  :: Hold(f) :: Resume(f)
#else
#define HOLDS(f)
#endif
#if NX > 0
#define PICKS(f)  :: Pick(f)
#else
#define PICKS(f)
#endif
#define FIBER(f)  BORN(f) FIRST(f) SLOT(f) MOVES(f) BACK(f) HOLDS(f) PICKS(f)
#define TRAMPOLINE(t) :: Acquire((t)) SLOT((t))
#define TOKEN(t)  :: IoSubmit(t) :: IoDone(t)
#define DEADLINE(d) :: ArmQueue(d) :: ArmIO(d) :: ArmTimer(d)
#if NW == 1
#define TICKETS(c) :: Deliver(c, 0)
#else
#define TICKETS(c) :: Deliver(c, 0) :: Deliver(c, 1)
#endif

active proctype host() {
#if NL > 0
end:				/* everybody is dead, every slot retired */
#endif
	do
	:: atomic {
	if
	FIBER(0)
#if NF >= 2
	FIBER(1)
#endif
#if NF >= 3
	FIBER(2)
#endif
#if NT >= 1
	TRAMPOLINE(NF)
#endif
#if NT >= 2
	TRAMPOLINE(NF+1)
#endif
#if NK >= 1
	TOKEN(0)
#endif
#if NK >= 2
	TOKEN(1)
#endif
	:: Next() :: Yield() :: Exit() :: Release()
	:: ArmQueue(NIL) :: ArmIO(NIL) :: Disarm() :: Block()
#if ND >= 1
	DEADLINE(0) :: Expire()
#endif
#if ND >= 2
	DEADLINE(1)
#endif
#if NM >= 1
	:: Mask() :: Unmask() :: TakeInterrupt()
#endif
#if NP >= 1
	:: YieldPinned() :: Unpin() :: FailPinned()
#endif
#if NR > 0
	:: EndRun()
#endif
#if NV > 0
	:: Tie() :: Untie()
#endif
#if NO > 0
	:: ArmOutside() :: Promise() :: TakeBack()
#endif
#if NE > 0
	:: Lend()
#endif
	fi;
	d_step { CHECK; SHOW SCRUB } }
	od
}
