package island_test

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

// town is an island of Go functions in a test: a stackful runtime on its own goroutine.
type town struct {
	*island.Island
	t    *testing.T
	rt   *stackful.Runtime
	hold *scheduler.Sender // keeps it going without fibers
	end  context.CancelCauseFunc
	done chan struct{}
	err  error
}

// found makes the island. What is set up before sail has nobody else on it yet.
func found(t *testing.T, r *island.Registry, name string, cfg island.Config) *town {
	t.Helper()
	return foundOn(t, stackful.Coroutine, r, name, cfg)
}

// foundOn is found with stacks of this kind.
func foundOn(t *testing.T, stacks stackful.Backing, r *island.Registry, name string, cfg island.Config) *town {
	t.Helper()
	b := &town{t: t, done: make(chan struct{})}
	b.rt = stackful.New(stackful.Config{Backing: stacks, Config: scheduler.Config{Number: r.Number(), Clock: wallclock.New()}})
	ctx, end := context.WithCancelCause(t.Context())
	b.end, cfg.Name = end, name
	cfg.Stop = end
	var err error
	b.Island, err = r.Join(&b.rt.Scheduler().Core, cfg)
	require.NoError(t, err)
	b.hold = b.rt.Scheduler().Inbox().NewSender()
	go b.run(ctx)
	t.Cleanup(func() { b.stop(nil) })
	return b
}

// run is the owner: it does what is asked of it until the island is stopped.
func (b *town) run(ctx context.Context) {
	defer close(b.done)
	stop := context.AfterFunc(ctx, b.hold.Close)
	if b.err = b.rt.Run(ctx); errors.Is(b.err, context.Canceled) {
		b.err = context.Cause(ctx)
	}
	stop()
	b.Leave(context.Cause(ctx))
	b.rt.Close()
}

func (b *town) stop(cause error) {
	b.end(cause)
	<-b.done
}

// own runs f on the owner's goroutine.
func (b *town) own(f func()) {
	done := make(chan struct{})
	require.NoError(b.t, b.rt.Scheduler().Inbox().Do(func() { defer close(done); f() }))
	<-done
}

// do starts a fiber; the channel gives what it ended with.
func (b *town) do(name string, fn func(f *stackful.Fiber) error) <-chan error {
	b.t.Helper()
	ended := make(chan error, 1)
	h, err := b.rt.Start(name, func(f *stackful.Fiber) (any, error) { return nil, fn(f) })
	require.NoError(b.t, err)
	go func() { _, err := h.Result(context.Background()); ended <- err }()
	return ended
}

// ends waits for a fiber's end.
func ends(_ *testing.T, ended <-chan error) error { return <-ended }

func open[T any](b *town, name string, capacity int) (p *island.Port[T]) {
	b.own(func() {
		var err error
		p, err = island.Open[T](b.Island, name, capacity)
		require.NoError(b.t, err)
	})
	return p
}

func dial[T any](b *town, name string) (s *island.Sender[T]) {
	b.own(func() {
		var err error
		s, err = island.Dial[T](b.Island, name)
		require.NoError(b.t, err)
	})
	return s
}

func send[T any](f *stackful.Fiber, s *island.Sender[T], v T) error {
	c := island.SendTo(s, v)
	if _, err := f.Select(wait.NewSelect(c)); err != nil {
		return err
	}
	return c.Err()
}

func receive[T any](f *stackful.Fiber, p *island.Port[T]) (v T, ok bool, err error) {
	c := island.RecvFrom(p)
	if _, err = f.Select(wait.NewSelect(c)); err != nil {
		return v, false, err
	}
	v, ok = c.Value()
	return v, ok, nil
}

// request asks for a command and waits for the answer.
func request(f *stackful.Fiber, from *island.Island, cmd island.Command) (fiber.ID, error) {
	done, err := f.Operate(func(tok fiber.Token) error { return from.Request(tok, cmd) })
	if err == nil {
		err = done.Err
	}
	id, _ := done.Value.(fiber.ID)
	return id, err
}
