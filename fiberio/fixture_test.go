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
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// fixture is a runtime with a World. At the end of the test every operation must have completed
// once, and no goroutine may be left.
type fixture struct {
	*testing.T
	rt    *stackful.Runtime
	world *fiberio.World
}

func newFixture(t *testing.T, cfg fiberio.Config) *fixture { return newFixtureOf(t, 0, cfg) }

// newFixtureOf limits the operations under way; 0 is the default.
func newFixtureOf(t *testing.T, operations int, cfg fiberio.Config) *fixture {
	return newFixtureOn(t, scheduler.Config{MaxTokens: operations}, cfg)
}

// newFixtureOn configures the scheduler. Without a clock its time is real. The fibers reach everything.
func newFixtureOn(t *testing.T, limits scheduler.Config, cfg fiberio.Config) *fixture {
	cfg.Access = sandbox.Process()
	return newFixtureIn(t, limits, cfg)
}

// newFixtureIn is newFixtureOn with the access of the Config.
func newFixtureIn(t *testing.T, limits scheduler.Config, cfg fiberio.Config) *fixture {
	known := goleak.IgnoreCurrent()
	if limits.Clock == nil {
		limits.Clock = wallclock.New()
	}
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
	return &fixture{t, rt, world}
}

// fiber spawns a fiber; its error fails the test.
func (w *fixture) fiber(name string, body func(f *stackful.Fiber) error) *stackful.Task {
	w.Helper()
	task, err := w.rt.Go(name, func(f *stackful.Fiber) (any, error) {
		err := body(f)
		assert.NoError(w, err, name)
		return nil, nil
	})
	require.NoError(w, err)
	return task
}

func (w *fixture) run() {
	w.Helper()
	require.NoError(w, w.rt.Run(context.Background()))
}

// alone runs one fiber.
func (w *fixture) alone(body func(f *stackful.Fiber)) {
	w.Helper()
	w.fiber("alone", func(f *stackful.Fiber) error { body(f); return nil })
	w.run()
}

// settled waits until every operation, abandoned ones included, has completed.
func (w *fixture) settled(f *stackful.Fiber) {
	w.Helper()
	for {
		c := w.rt.Scheduler().Ops().Counters()
		if c.Submitted == c.Completed+c.Late {
			return
		}
		require.NoError(w, f.Sleep(time.Microsecond))
	}
}

// pair returns the two ends of a connection.
func (w *fixture) pair(f *stackful.Fiber) (a, b *fiberio.Conn) {
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

// received is a call that waits for the channel to be closed.
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
