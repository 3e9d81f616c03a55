package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Once has something run by one fiber; whoever else wants it done waits until it is.
// If the run fails, or its fiber dies, the one that has waited longest runs it anew:
// until it is done nobody has seen what it made, so nothing is half done for anybody.
// With Poison there is one attempt only: those who wait get Code Failed, and later ones
// ErrRunFailed, until Repair.
//
//	run, done, err := once.TryRun(id)
//	if err == nil && !run && !done {
//		t := sched.Arm(fiber.OnQueue(), once)
//		err = once.ParkRun(t, id)
//		sched.Block()
//		t, res := sched.Claim()              // Failed: see Err
//		run = once.Collect(t)
//	}
//	if run {
//		sched.Own(once)
//		…                                    // the one run
//		wakes, err := once.Finish(id, nil)   // or Fail
//		sched.Disown(once)
//	}
//
// The host keeps it registered as a fiber.OwnerHook of the fiber that runs it, as it
// does with the owner of a Mutex. The zero Once is ready, and hands a failed run on.
//
// Invariants, checked by the property test after every operation:
//   - somebody waits only while there is a runner;
//   - granted is zero, or the ticket by which the present runner got its turn;
//   - it is never two of: running, done, failed.
type Once struct {
	Object
	done    bool
	poisons bool
	runner  fiber.ID
	failed  fiber.ID     // whose run failed, with Poison
	granted fiber.Ticket // the turn was handed over to the runner and not collected yet
	waiting waitq.Queue[fiber.ID]
}

// NewOnce makes one that follows the policy when a run fails.
func NewOnce(policy OwnerDeath) *Once { return &Once{poisons: policy == Poison} }

// Done tells whether a run has finished.
func (o *Once) Done() bool { return o.done }

// Runner is who runs it now; 0 if nobody does.
func (o *Once) Runner() fiber.ID { return o.runner }

// Waiting counts those who wait for the end of the run.
func (o *Once) Waiting() int { return o.waiting.Waiting() }

// Err is ErrRunFailed, naming the fiber whose run failed, or nil.
func (o *Once) Err() error {
	if o.failed != 0 {
		return o.refuse("run", o.failed, 0, ErrRunFailed)
	}
	return nil
}

// Admit is as for a Chan: it refuses a fiber of another scheduler.
func (o *Once) Admit(scheduler uint16) error {
	if o.belongs(scheduler) {
		return nil
	}
	return o.refuse("use", 0, 0, ErrForeign)
}

// TryRun asks for the turn. With run, id is the runner and must say Finish or Fail; with
// done, there is nothing to do; with neither and no error it would block. Errors:
// ErrReentered, ErrRunFailed.
func (o *Once) TryRun(id fiber.ID) (run, done bool, err error) {
	switch {
	case o.done:
		return false, true, nil
	case o.failed != 0 || o.runner == id || id == 0:
		return false, false, o.mayNotRun(id)
	case o.runner != 0:
		return false, false, nil
	}
	o.runner = id
	return true, false, nil
}

func (o *Once) mayNotRun(id fiber.ID) error {
	switch {
	case id == 0:
		panic(noOwner("run", o.title()))
	case o.failed != 0:
		return o.refuse("run", o.failed, id, ErrRunFailed)
	}
	return o.refuse("run", id, id, ErrReentered)
}

// Finish says that the run is done, for ever, and appends everybody who waits. The
// error is ErrNotRunner; dst is then as it was.
func (o *Once) Finish(id fiber.ID, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if id == 0 || o.runner != id {
		return dst, o.refuse("finish", o.runner, id, ErrNotRunner)
	}
	o.done = true
	o.runner, o.granted = 0, fiber.Ticket{}
	return o.wakeAll(fiber.OK, dst), nil
}

// Fail says that the run came to nothing. It appends the next runner, or with Poison
// everybody who waits, with Code Failed. The error is Finish's.
func (o *Once) Fail(id fiber.ID, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if id == 0 || o.runner != id {
		return dst, o.refuse("fail", o.runner, id, ErrNotRunner)
	}
	return o.pass(dst), nil
}

// pass ends a run that came to nothing.
func (o *Once) pass(dst []fiber.Wakeup) []fiber.Wakeup {
	if o.poisons {
		o.failed = o.runner
		o.runner, o.granted = 0, fiber.Ticket{}
		return o.wakeAll(fiber.Failed, dst)
	}
	t, tag, next, ok := o.waiting.Pop()
	o.runner, o.granted = next, t
	if !ok {
		return dst
	}
	return append(dst, o.woken(t, fiber.OK, tag))
}

func (o *Once) wakeAll(code fiber.Code, dst []fiber.Wakeup) []fiber.Wakeup {
	for t, tag, _, ok := o.waiting.Pop(); ok; t, tag, _, ok = o.waiting.Pop() {
		dst = append(dst, o.woken(t, code, tag))
	}
	return dst
}

// Repair makes it ready for another run after one failed with Poison. False: none did.
func (o *Once) Repair() bool {
	was := o.failed != 0
	o.failed = 0
	return was
}

func (o *Once) refuse(op string, owner, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: o.title(), Owner: owner, By: by, Err: why}
}

func (o *Once) title() string { return o.label("once") }
