package scheduler

import (
	"errors"
	"fmt"
)

// killError is what a killed fiber ends with: it is ErrKilled to errors.Is whatever the
// cause, and the cause too. Without one it is ErrKilled itself, so nothing is allocated. The kill
// at the end of a grace period has one error, which tells it from a kill with another cause.
func killError(cause error) error {
	switch cause {
	case nil, ErrKilled:
		return ErrKilled
	case ErrGraceOver:
		return errGraceKill
	}
	return fmt.Errorf("%w: %w", ErrKilled, cause)
}

var errGraceKill = fmt.Errorf("%w: %w", ErrKilled, ErrGraceOver)

// Limits and races that a caller can handle. A call that returns one of these has changed
// nothing.
var (
	// ErrTooManyFibers: Config.MaxFibers fibers are alive, or every slot is retired.
	ErrTooManyFibers = errors.New("scheduler: too many fibers; raise Config.MaxFibers or wait for some to end")
	// ErrTooManyTimers: Config.MaxTimers deadlines and alarms are on.
	ErrTooManyTimers = errors.New("scheduler: too many timers; raise Config.MaxTimers or wait for some to end")
	// ErrWaitsUsedUp: of the 2^48 waits that a scheduler numbers, fewer than 2^20 are left.
	ErrWaitsUsedUp = errors.New("scheduler: the numbers of its waits are used up, and none is repeated; continue in a new scheduler")
	// ErrInboxFull: Config.MaxCommands commands wait for the owner.
	ErrInboxFull = errors.New("scheduler: the inbox is full: post again when the owner has carried out some, or raise Config.MaxCommands")
	// ErrTooManyTrampolines: Config.MaxTrampolines calls are in flight.
	ErrTooManyTrampolines = errors.New("scheduler: too many native calls in flight; raise Config.MaxTrampolines")
	// ErrTooDeep: Config.MaxNesting native calls are pinned on one another, and one more
	// might have to be.
	ErrTooDeep = errors.New("scheduler: native calls are nested too deeply; raise Config.MaxNesting, or give fibers stacks that park")
	// ErrGone: the fiber has ended, or never was.
	ErrGone = errors.New("scheduler: no such fiber (it has ended, or its slot holds a later one)")
	// ErrMovedOut: the fiber continues in another scheduler (MoveOut), and only there can it
	// be cancelled or killed. It is an ErrGone. Its end is still reported here.
	ErrMovedOut = fmt.Errorf("%w: it has moved to another scheduler; act on it there", ErrGone)
	// ErrImmovable: the fiber cannot move to another scheduler.
	ErrImmovable = errors.New("scheduler: the fiber cannot move")
	// ErrCellTaken: the join cell belongs to another fiber or scheduler, or is completed.
	ErrCellTaken = errors.New("scheduler: the join cell is taken; give each fiber a new one")
	// ErrKilled: the fiber was killed; every operation ends with this until it has unwound.
	ErrKilled = errors.New("scheduler: fiber killed")
	// ErrCancelled: the cause of a Cancel that gave none.
	ErrCancelled = errors.New("scheduler: fiber cancelled")
	// ErrGraceOver: the cause of the kill that follows a cancelled fiber which did
	// not unwind within Config.Grace.
	ErrGraceOver = errors.New("scheduler: cancelled fiber did not unwind within its grace period")
	// ErrMainReturned: the cause with which the other fibers end when the main fiber has ended
	// without an error. If it failed, its error is the cause.
	ErrMainReturned = errors.New("scheduler: the main fiber returned")
	// ErrStopped: the scheduler is shutting down.
	ErrStopped = errors.New("scheduler: stopped")
)
