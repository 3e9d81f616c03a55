package spec

import "slices"

// Transition is one row of the table of legal status changes: in a step of kind By, a
// context of the pool goes From one status To another.
type Transition struct {
	By         Kind
	Trampoline bool
	From, To   Status
}

// Transitions is the whole table. A status that a step leaves as it is needs no row.
// A step changes several contexts when it moves a chain: each change has its row.
func Transitions() []Transition {
	const regular, trampoline = false, true
	return []Transition{
		{Spawn, regular, Dead, Runnable},
		{Next, regular, Runnable, Running},
		{Next, regular, Runnable, Dead}, // doomed, nothing to unwind: reaped
		{Yield, regular, Running, Runnable},
		{Exit, regular, Running, Dead},
		{Acquire, trampoline, Dead, Running},
		{Release, trampoline, Running, Dead},

		{Block, regular, Running, BlockedQueue}, // its own wait, or on its callee
		{Block, regular, Running, BlockedIO},
		{Block, regular, Running, BlockedTimer},
		{Block, regular, Running, Runnable}, // the wait had ended already
		{Block, trampoline, Running, BlockedQueue},
		{Block, trampoline, Running, BlockedTimer},

		{WakeID, regular, BlockedQueue, Runnable},
		{WakeID, regular, BlockedIO, Runnable},
		{WakeID, regular, BlockedTimer, Runnable},
		{WakeID, trampoline, BlockedQueue, Running},
		{WakeID, trampoline, BlockedTimer, Running},
		{Deliver, regular, BlockedQueue, Runnable},
		{Deliver, trampoline, BlockedQueue, Running},
		{IoDone, regular, BlockedIO, Runnable},
		{Expire, regular, BlockedQueue, Runnable},
		{Expire, regular, BlockedIO, Runnable},
		{Expire, regular, BlockedTimer, Runnable},
		{Expire, regular, BlockedQueue, Dead}, // at the end of its grace, nothing to unwind
		{Expire, regular, BlockedIO, Dead},
		{Expire, regular, BlockedTimer, Dead},
		{Expire, regular, Runnable, Dead}, // doomed, nothing to unwind: reaped
		{Expire, trampoline, BlockedQueue, Running},
		{Expire, trampoline, BlockedTimer, Running},

		{Cancel, regular, BlockedQueue, Runnable},
		{Cancel, regular, BlockedIO, Runnable},
		{Cancel, regular, BlockedTimer, Runnable},
		{Cancel, trampoline, BlockedQueue, Running},
		{Cancel, trampoline, BlockedTimer, Running},

		{Kill, regular, BlockedQueue, Runnable}, // to unwind
		{Kill, regular, BlockedIO, Runnable},
		{Kill, regular, BlockedTimer, Runnable},
		{Kill, regular, BlockedQueue, Dead}, // nothing to unwind
		{Kill, regular, BlockedIO, Dead},
		{Kill, regular, BlockedTimer, Dead},
		{Kill, trampoline, BlockedQueue, Running},
		{Kill, trampoline, BlockedTimer, Running},

		{FailPinned, trampoline, BlockedQueue, Running}, // nothing else could end its wait

		{Hold, regular, Runnable, Dead}, // doomed, nothing to unwind: reaped

		{Pick, regular, Runnable, Running},
		{Pick, regular, Runnable, Dead}, // the head, not A: reaped

		{MoveOut, regular, Runnable, Dead}, // it goes on in another scheduler
		{MoveIn, regular, Dead, Runnable},
	}
}

// legal looks one change up.
func legal(t Transition) bool { return slices.Contains(Transitions(), t) }
