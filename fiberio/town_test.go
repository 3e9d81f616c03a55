package fiberio_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// town is fibers with a world around them. When its test is over nothing of it is left:
// no fiber, no operation, no goroutine.
type town struct {
	*testing.T
	rt    *stackful.Runtime
	world *fiberio.World
}

func newTown(t *testing.T, cfg fiberio.Config) *town { return newTownOf(t, 0, cfg) }

// newTownOf is a town with so many operations at once; 0 is the default.
func newTownOf(t *testing.T, operations int, cfg fiberio.Config) *town {
	return newTownOn(t, scheduler.Config{MaxTokens: operations}, cfg)
}

// newTownOn is a town in real time with limits.
func newTownOn(t *testing.T, limits scheduler.Config, cfg fiberio.Config) *town {
	known := goleak.IgnoreCurrent()
	limits.Clock = reactor.NewWallClock()
	rt := stackful.New(stackful.Config{Config: limits})
	world, err := fiberio.New(rt, cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		rt.Close()
		assert.NoError(t, world.Close(context.Background()))
		c := rt.Scheduler().Ops().Counters()
		assert.Equal(t, c.Submitted, c.Completed+c.Late, "every operation ends once (I12)")
		goleak.VerifyNone(t, known)
	})
	return &town{t, rt, world}
}

// fiber spawns one; its error fails the test.
func (w *town) fiber(name string, body func(f *stackful.Fiber) error) *stackful.Task {
	w.Helper()
	task, err := w.rt.Go(name, func(f *stackful.Fiber) (any, error) {
		err := body(f)
		assert.NoError(w, err, name)
		return nil, nil
	})
	require.NoError(w, err)
	return task
}

func (w *town) run() {
	w.Helper()
	require.NoError(w, w.rt.Run(context.Background()))
}

// alone runs one fiber.
func (w *town) alone(body func(f *stackful.Fiber)) {
	w.Helper()
	w.fiber("alone", func(f *stackful.Fiber) error { body(f); return nil })
	w.run()
}

// settled yields until no operation is under way: what was given up has been acknowledged.
func (w *town) settled(f *stackful.Fiber) {
	w.Helper()
	for {
		c := w.rt.Scheduler().Ops().Counters()
		if c.Submitted == c.Completed+c.Late {
			return
		}
		require.NoError(w, f.Sleep(time.Microsecond))
	}
}

// pair is the two ends of a connection.
func (w *town) pair(f *stackful.Fiber) (a, b *fiberio.Conn) {
	w.Helper()
	l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
	require.NoError(w, err)
	defer func() { _ = l.Close() }()
	a, err = w.world.Dial(f, "tcp", l.Addr().String(), fiber.Never)
	require.NoError(w, err)
	b, err = l.Accept(f, fiber.Never)
	require.NoError(w, err)
	w.Cleanup(func() { _ = a.Close(); _ = b.Close() })
	return a, b
}

// received waits on a worker for what another goroutine sends.
func received(c <-chan struct{}) func(context.Context) (struct{}, error) {
	return func(ctx context.Context) (struct{}, error) {
		select {
		case <-c:
			return struct{}{}, nil
		case <-ctx.Done():
			return struct{}{}, ctx.Err()
		}
	}
}
