package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Once has something run by one fiber; other fibers that want it done wait for the end of
// the run. If the run fails, or its fiber dies, the fiber that has waited longest runs it
// again: no fiber has seen a partial result. With Poison there is only one attempt: the
// waiting fibers get Code Failed, and later ones ErrRunFailed, until Repair.
//
//	run, done, err := once.TryRun(id)
//	if err == nil && !run && !done {
//		t := sched.Arm(fiber.OnQueue(), once.Source())
//		err = once.ParkRun(t, id)
//		sched.Block()
//		t, res := sched.Claim()              // Failed: see Err
//		run = once.Collect(t)
//	}
//	if run {
//		sched.Own(once.OwnerHook())
//		…                                    // the run
//		wakes, err := once.Finish(id, nil)   // or Fail
//		sched.Disown(once.OwnerHook())
//	}
//
// The host keeps OwnerHook registered for the fiber that runs it, as for the owner of a
// Mutex. The zero Once has not run and has the policy HandOver.
//
// Invariants, checked by the property test after every operation:
//   - a fiber waits only while there is a runner;
//   - granted is zero, or the ticket by which the present runner got its turn;
//   - it is never two of: running, done, failed.
type Once struct {
	Object
	done    bool
	poisons bool
	runner  fiber.ID
	failed  fiber.ID     // the fiber whose run failed, with Poison
	granted fiber.Ticket // the turn was handed over to the runner and not collected yet
	waiting waitq.Queue[fiber.ID]
}

// NewOnce makes a Once that follows the policy when a run fails.
func NewOnce(policy OwnerDeath) *Once { return &Once{poisons: policy == Poison} }

// Done reports whether a run has finished.
func (o *Once) Done() bool { return o.done }

// Runner is the fiber that runs it now; 0 if none does.
func (o *Once) Runner() fiber.ID { return o.runner }

// Err is ErrRunFailed, naming the fiber whose run failed, or nil.
func (o *Once) Err() error {
	if o.failed != 0 {
		return o.refuse("run", o.failed, 0, ErrRunFailed)
	}
	return nil
}

// TryRun takes the turn if it is free. With run, id is the runner and must call Finish or
// Fail; with done, there is nothing to do; with neither and no error it would block.
// Errors: ErrReentered, ErrRunFailed.
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

// Finish ends the run with success; there is no further run. It appends all waiting fibers.
// The error is ErrNotOwner: id is not the runner; dst is then unchanged.
func (o *Once) Finish(id fiber.ID, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if id == 0 || o.runner != id {
		return dst, o.refuse("finish", o.runner, id, errNotRunner)
	}
	o.done = true
	o.runner, o.granted = 0, fiber.Ticket{}
	return o.wakeAll(fiber.OK, dst), nil
}

// Fail ends the run without success. It appends the next runner, or with Poison all waiting
// fibers, with Code Failed. The error is that of Finish.
func (o *Once) Fail(id fiber.ID, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if id == 0 || o.runner != id {
		return dst, o.refuse("fail", o.runner, id, errNotRunner)
	}
	return o.pass(dst), nil
}

// pass ends a run that failed.
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

// Repair allows another run after one failed with Poison. False: none did.
func (o *Once) Repair() bool {
	was := o.failed != 0
	o.failed = 0
	return was
}

func (o *Once) refuse(op string, owner, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: o.title(), Owner: owner, By: by, Err: why}
}

func (o *Once) title() string { return o.label("once") }
