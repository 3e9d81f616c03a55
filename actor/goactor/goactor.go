package goactor

import (
	"errors"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Func is the body of an asynchronous actor. Its return ends the actor, and a returned
// error, or a panic, is the actor's failure.
type Func[M any] func(f *stackful.Fiber, cx *actor.Context[M]) error

// New is actor.New for a system whose asynchronous actors are fibers of rt. Close rt when
// the system is needed no more.
func New[M any](rt *stackful.Runtime, root actor.Spec[M], o actor.Options[M]) (*actor.System[M], error) {
	return actor.New(rt.Scheduler(), rt, root, o)
}

// Start is the Start of an actor.Spec that runs the function.
func Start[M any](rt *stackful.Runtime, fn Func[M]) func(*actor.Context[M], scheduler.Options) (fiber.ID, error) {
	return func(cx *actor.Context[M], o scheduler.Options) (fiber.ID, error) {
		task, err := rt.GoWith(o.Name, func(f *stackful.Fiber) (any, error) { return nil, fn(f, cx) }, scheduler.Options{Link: o.Link})
		if err != nil {
			return 0, err
		}
		return task.ID(), nil
	}
}

// Recv waits for the next message. Errors: a *stackful.Interrupt, when the actor was
// killed and what it returns is discarded; wait.ErrClosed, if the actor has closed its
// inbox itself.
func Recv[M any](f *stackful.Fiber, cx *actor.Context[M]) (M, error) {
	return RecvUntil(f, cx, fiber.Never)
}

// RecvUntil is Recv with a deadline, and stackful.ErrTimeout.
func RecvUntil[M any](f *stackful.Fiber, cx *actor.Context[M], deadline fiber.Time) (M, error) {
	msg, ok, err := stackful.RecvUntil(f, cx.Inbox(), deadline)
	if err == nil && !ok {
		err = cx.Inbox().Err()
	}
	return msg, err
}

// Send is Context.Send that waits for room where the receiver's policy is BlockSender.
// Errors: those of Context.Send, and a *stackful.Interrupt.
func Send[M any](f *stackful.Fiber, cx *actor.Context[M], to actor.Handle, msg M) error {
	return SendUntil(f, cx, to, msg, fiber.Never)
}

// SendUntil is Send with a deadline, and stackful.ErrTimeout.
func SendUntil[M any](f *stackful.Fiber, cx *actor.Context[M], to actor.Handle, msg M, deadline fiber.Time) error {
	err := cx.Send(to, msg)
	if !errors.Is(err, actor.ErrInboxFull) {
		return err
	}
	room := cx.Room(to)
	if room == nil {
		return err
	}
	_, res, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error { return cx.Park(t, to, msg) }, room)
	if err == nil && res.Code == fiber.Failed {
		err = actor.ErrGone
	}
	return err
}
