package islandtest

import (
	"context"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
	"github.com/selvage-dev/selvage/wallclock"
	"github.com/stretchr/testify/require"
)

// Running is an island whose fibers are Go functions: a stackful runtime on a goroutine of its
// own, until Stop or the end of the test.
type Running struct {
	*island.Island
	T       *testing.T
	Runtime *stackful.Runtime
	Hold    *scheduler.Sender // keeps it running without fibers; Close it to let it end
	Done    chan struct{}     // closed at its end
	Err     error             // what ended it; valid after Done

	stop context.CancelCauseFunc
}

// Start starts an island.
func Start(t *testing.T, r *island.Registry, name string, cfg island.Config) *Running {
	t.Helper()
	return StartOn(t, stackful.Coroutine, r, name, cfg)
}

// StartOn is Start with that kind of stacks.
func StartOn(t *testing.T, stacks stackful.Backing, r *island.Registry, name string, cfg island.Config) *Running {
	t.Helper()
	b := &Running{T: t, Done: make(chan struct{})}
	b.Runtime = stackful.New(stackful.Config{Backing: stacks, Config: scheduler.Config{Number: r.Number(), Clock: wallclock.New()}})
	ctx, stop := context.WithCancelCause(t.Context())
	b.stop, cfg.Name = stop, name
	cfg.Stop = stop
	var err error
	b.Island, err = r.Join(&b.Runtime.Scheduler().Core, cfg)
	require.NoError(t, err)
	b.Hold = b.Runtime.Scheduler().Inbox().NewSender()
	go b.run(ctx)
	t.Cleanup(func() { b.Stop(nil) })
	return b
}

// run is the body of the owner's goroutine.
func (b *Running) run(ctx context.Context) {
	defer close(b.Done)
	release := context.AfterFunc(ctx, b.Hold.Close)
	if b.Err = b.Runtime.Run(ctx); errors.Is(b.Err, context.Canceled) {
		b.Err = context.Cause(ctx)
	}
	release()
	b.Leave(context.Cause(ctx))
	b.Runtime.Close()
}

// Stop shuts the island down and waits for its end.
func (b *Running) Stop(cause error) {
	b.stop(cause)
	<-b.Done
}

// Own runs f on the owner's goroutine and waits for it.
func (b *Running) Own(f func()) {
	done := make(chan struct{})
	require.NoError(b.T, b.Runtime.Scheduler().Inbox().Do(func() { defer close(done); f() }))
	<-done
}

// Go starts a fiber. The channel receives the error that it ends with.
func (b *Running) Go(name string, fn func(f *stackful.Fiber) error) <-chan error {
	b.T.Helper()
	ended := make(chan error, 1)
	h, err := b.Runtime.Start(name, func(f *stackful.Fiber) (any, error) { return nil, fn(f) })
	require.NoError(b.T, err)
	go func() { _, err := h.Result(context.Background()); ended <- err }()
	return ended
}

// Open opens a port.
func Open[T any](b *Running, name string, capacity int) (p *island.Port[T]) {
	b.Own(func() {
		var err error
		p, err = island.Open[T](b.Island, name, capacity)
		require.NoError(b.T, err)
	})
	return p
}

// Dial opens a sender.
func Dial[T any](b *Running, name string) (s *island.Sender[T]) {
	b.Own(func() {
		var err error
		s, err = island.Dial[T](b.Island, name)
		require.NoError(b.T, err)
	})
	return s
}

// Send sends, and waits for room.
func Send[T any](f *stackful.Fiber, s *island.Sender[T], v T) error {
	c := island.SendTo(s, v)
	if _, err := f.Select(wait.NewSelect(c)); err != nil {
		return err
	}
	return c.Err()
}

// Receive receives, and waits for a value; not ok: the port has ended.
func Receive[T any](f *stackful.Fiber, p *island.Port[T]) (v T, ok bool, err error) {
	c := island.RecvFrom(p)
	if _, err = f.Select(wait.NewSelect(c)); err != nil {
		return v, false, err
	}
	v, ok = c.Value()
	return v, ok, nil
}

// Request sends a command and waits for the answer.
func Request(f *stackful.Fiber, from *island.Island, cmd island.Command) (fiber.ID, error) {
	done, err := f.Operate(func(tok fiber.Token) error { return from.Request(tok, cmd) })
	if err == nil {
		err = done.Err
	}
	id, _ := done.Value.(fiber.ID)
	return id, err
}
