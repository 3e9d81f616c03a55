package fiberio_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Calls end only when as many run at once as there are workers; a call that finds more of them
// running fails.
func TestAsManyCallsRunAtOnceAsThereAreIOWorkers(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			w := newFixture(t, fiberio.Config{IOWorkers: workers})
			var under, begun atomic.Int64
			met := make(chan struct{})
			for n := range 4 * workers {
				w.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
					_, err := fiberio.Do(w.world, f, fiber.Never, func(context.Context) (any, error) {
						defer under.Add(-1)
						if under.Add(1) > int64(workers) {
							return nil, errors.New("one too many")
						}
						if begun.Add(1) == int64(workers) {
							close(met)
						}
						<-met
						return nil, nil
					})
					return err
				})
			}
			w.run()
			require.EqualValues(t, 4*workers, begun.Load())
			assert.Zero(t, under.Load())
		})
	}
}

func TestMakeUndoesAnAbandonedResult(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		undone, begun, late := make(chan int, 1), make(chan struct{}), make(chan struct{})
		givesUp := w.fiber("gives up", func(f *stackful.Fiber) error {
			_, err := fiberio.Make(w.world, f, fiber.Never, func(context.Context) (int, error) {
				close(begun)
				<-late
				return 7, nil
			}, func(made int) { undone <- made })
			var stopped *stackful.Interrupt
			assert.ErrorAs(w, err, &stopped)
			return nil
		})
		_, err := fiberio.Do(w.world, f, fiber.Never, received(begun)) // wait until it has begun: before that there is nothing to undo
		require.NoError(w, err)
		require.NoError(w, w.rt.Scheduler().Cancel(givesUp.ID(), nil))
		_, err = f.Join(givesUp)
		require.NoError(w, err)
		assert.Empty(w, undone)
		close(late)
		w.settled(f)
		assert.Equal(w, 7, <-undone)
		made, err := fiberio.Make(w.world, f, fiber.Never, func(context.Context) (int, error) { return 8, nil }, func(made int) { undone <- made })
		assert.NoError(w, err)
		assert.Equal(w, 8, made)
		_, err = fiberio.Make(w.world, f, fiber.Never, func(context.Context) (int, error) { return 9, os.ErrExist }, func(made int) { undone <- made })
		assert.ErrorIs(w, err, os.ErrExist)
		assert.Empty(w, undone)
	})
}

func TestAPanicInDoIsAnError(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		_, err := fiberio.Do(w.world, f, fiber.Never, func(context.Context) (int, error) { panic("no disk") })
		var panicked *scheduler.PanicError
		assert.ErrorAs(w, err, &panicked)
	})
}
