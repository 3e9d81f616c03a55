package fiberio_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// As many calls as there are workers have to meet before one of them ends, and a call that
// finds one more than that under way is wrong.
func TestAsManyCallsAreDoneAtOnceAsThereAreWorkersAndNoMore(t *testing.T) {
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
