package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Operation is an asynchronous operation that code of the guest waits for. The same calls serve the
// fiber itself and the callee of a native call:
//
//	o, err := s.Ops().Start(func(tok fiber.Token) error { return pool.Submit(tok, work) })
//	o.Arm(fiber.Never)      // then end the slice with Block
//	s.Claim()               // in the next slice
//	value, err := o.Result()
//
// It belongs to the fiber that started it, and to the owner's goroutine; a copy that is made before
// Arm does not have the result of a callee.
type Operation struct {
	core   *Core
	tok    fiber.Token
	callee *calleeWait // where a callee waits; nil while none does
}

// Start submits an operation of the current fiber and calls begin, which passes the token to the
// device that does the work. Errors are those of Submit and of begin; after either nothing is in
// flight. If begin panics, the operation ends and the panic passes on.
func (f Ops) Start(begin func(fiber.Token) error) (Operation, error) {
	f.mustBegin(begin != nil)
	tok, err := f.Submit()
	if err != nil {
		return Operation{}, err
	}
	return f.Begin(tok, begin)
}

// Begin is Start for a token that is submitted already (SubmitReserved).
func (f Ops) Begin(tok fiber.Token, begin func(fiber.Token) error) (o Operation, err error) {
	f.mustBegin(begin != nil)
	begun := false
	defer func() {
		if !begun { // nothing else would complete the token
			f.Complete(tok, ioqueue.Completion{Err: err})
			f.Completion(tok)
		}
	}()
	if err = begin(tok); err != nil {
		return Operation{}, err
	}
	begun = true
	return Operation{core: f.core, tok: tok}, nil
}

func (f Ops) mustBegin(has bool) {
	if invariants.On {
		f.core.checkOwner(op.Submit)
	}
	if !has {
		f.core.refuseAs(op.Submit, rule.ValidArgument, "the operation has no begin: pass the function that gives the token to a device")
	}
}

// Arm prepares the executing context's wait for the operation, until the deadline; fiber.Never is
// none. A wait that ends otherwise, by the deadline, a cancellation or a kill, abandons the
// operation: its device receives the token to cancel it. An operation is awaited once; a second
// Arm is a contract error (I8).
func (o *Operation) Arm(deadline fiber.Time) fiber.Ticket {
	c := o.core
	if c == nil {
		panic(missing(op.Arm, "the zero Operation was not started: call Ops().Start"))
	}
	if !c.Inspect().Executing().IsTrampoline() {
		return c.Arm(fiber.OnIO(o.tok).WithDeadline(deadline))
	}
	// What Arm would refuse is refused before the operation is attached, so that it changes nothing.
	c.enter(op.Arm)
	h, _ := c.executing(op.Arm)
	c.checkArm(h, fiber.OnQueue().WithDeadline(deadline), nil)
	c.leave()
	w := &calleeWait{core: c, tok: o.tok}
	if err := c.Ops().Attach(o.tok, &w.Cell); err != nil {
		c.refuseAs(op.Arm, rule.I8, "%v: await each operation once, in the fiber that started it", err)
	}
	o.callee = w
	t := c.Arm(fiber.OnQueue().WithDeadline(deadline), w)
	if w.Park(t, 0) != nil { // it has ended already
		c.Deliver(t, fiber.Result{Code: fiber.OK})
	}
	return t
}

// Result is what the operation ended with: the value and the error that its device gave. It is
// called once, after the wait for it has been claimed. The error of an operation that was abandoned,
// because its wait ended otherwise, is ioqueue.ErrAbandoned.
func (o *Operation) Result() (any, error) {
	done, err := o.Completion()
	if err != nil {
		return nil, err
	}
	return done.Value, done.Err
}

// Completion is Result with the device's count. The error is ioqueue.ErrAbandoned or nil.
func (o *Operation) Completion() (done ioqueue.Completion, err error) {
	ended := false
	if o.callee != nil {
		var value any
		value, _, _ = o.callee.Result()
		done, ended = value.(ioqueue.Completion)
	} else if o.core != nil {
		done, ended = o.core.Ops().Completion(o.tok)
	}
	if !ended {
		return done, ioqueue.ErrAbandoned
	}
	return done, nil
}

// calleeWait is where the callee of a native call waits for an operation: a cell that takes the
// completion, because only the root could await the token (I8).
type calleeWait struct {
	ioqueue.Cell
	core *Core
	tok  fiber.Token
}

var _ fiber.Described = (*calleeWait)(nil)

// Anchored is that of the cell.
func (w *calleeWait) Anchored() *fiber.Anchor { return w.Source().Anchored() }

// Withdraw abandons the operation of a wait that ended without its completion.
func (w *calleeWait) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	dst = w.Source().Withdraw(t, dst)
	if !w.Completed() {
		_ = w.core.io.Abandon(w.tok) // it has ended if its fiber has
		dst = w.core.io.FailCells(dst)
	}
	return dst
}

// Holds reports whether the ticket waits for the operation.
func (w *calleeWait) Holds(t fiber.Ticket) bool { return w.Source().Holds(t) }

// Describe names it in reports.
func (w *calleeWait) Describe() string { return "an operation" }

// Holders are none: a device ends it, not a fiber.
func (w *calleeWait) Holders(dst []fiber.ID) []fiber.ID { return dst }
