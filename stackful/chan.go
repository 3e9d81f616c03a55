package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Send sends v, waiting for a receiver or for room. A nil channel blocks forever.
// Errors: wait.ErrClosed (and v was not sent), *Interrupt, wait.ErrForeign.
func Send[V any](f *Fiber, ch *wait.Chan[V], v V) error { return SendUntil(f, ch, v, fiber.Never) }

// SendUntil is Send with a deadline, and ErrTimeout.
func SendUntil[V any](f *Fiber, ch *wait.Chan[V], v V, deadline fiber.Time) error {
	if ch == nil {
		return f.forever(deadline)
	}
	ok, err := TrySend(f, ch, v)
	if ok || err != nil {
		return err
	}
	_, res, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error { return ch.ParkSend(t, v, 0) }, ch.Source())
	if err == nil && res.Code == fiber.Closed {
		err = f.at(ch.Err())
	}
	return err
}

// TrySend sends v if that needs no waiting. Errors as Send's.
func TrySend[V any](f *Fiber, ch *wait.Chan[V], v V) (bool, error) {
	if err := f.useChan("Send", ch.Source()); err != nil {
		return false, err
	}
	ok, w, err := ch.TrySend(v)
	f.wake(w)
	return ok, f.at(err)
}

// Recv receives a value, waiting for one. ok is false when the channel is closed and
// drained. A nil channel blocks forever. Errors: *Interrupt, wait.ErrForeign.
func Recv[V any](f *Fiber, ch *wait.Chan[V]) (v V, ok bool, err error) {
	return RecvUntil(f, ch, fiber.Never)
}

// RecvUntil is Recv with a deadline, and ErrTimeout.
func RecvUntil[V any](f *Fiber, ch *wait.Chan[V], deadline fiber.Time) (v V, ok bool, err error) {
	if ch == nil {
		return v, false, f.forever(deadline)
	}
	v, status, err := TryRecv(f, ch)
	if status != wait.Empty || err != nil {
		return v, status == wait.Received, err
	}
	t, _, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error { return ch.ParkRecv(t, 0) }, ch.Source())
	if err != nil {
		return v, false, err
	}
	v, ok = ch.Collect(t)
	return v, ok, nil
}

// TryRecv receives a value if one is there. Errors as Recv's.
func TryRecv[V any](f *Fiber, ch *wait.Chan[V]) (v V, status wait.Status, err error) {
	if err := f.useChan("Recv", ch.Source()); err != nil {
		return v, wait.Empty, err
	}
	v, status, w := ch.TryRecv()
	f.wake(w)
	return v, status, nil
}

// Close closes a channel: what is buffered can still be received, receivers that wait get ok false,
// senders that wait get wait.ErrClosed. Closing twice, or nil, is an error. A killed fiber may
// still close.
func Close[V any](f *Fiber, ch *wait.Chan[V]) error {
	f.ownPoint("Close", ch.Source())
	if err := f.admitChan("Close", ch.Source()); err != nil {
		return err
	}
	return f.wakeAll(ch.Close(f.rt.woken))
}

func (f *Fiber) forever(deadline fiber.Time) error {
	_, _, err := f.Await(fiber.OnQueue().WithDeadline(deadline), nil)
	return err
}
