package fiberio_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// underWay are the operations that fibers wait for, as reports show them.
func (w *fixture) underWay() (all []string) {
	for _, o := range w.rt.Scheduler().Inspect().Operations(nil) {
		if o.State == "awaited" {
			all = append(all, strings.TrimSpace(o.What+" "+o.Of))
		}
	}
	slices.Sort(all)
	return all
}

func TestAReportTellsWhatAnOperationIsAndWhatItIsDoneTo(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		if !assert.NoError(w, err) {
			return
		}
		from, to := io.Pipe()
		input := w.world.NewReader(from, "the input")
		w.fiber("accepts", func(f *stackful.Fiber) error { _, _ = l.Accept(f, fiber.Never); return nil })
		w.fiber("reads", func(f *stackful.Fiber) error { _, _ = input.Read(f, make([]byte, 1), fiber.Never); return nil })
		want := []string{"accept on " + l.Addr().String(), "read the input"}
		for !slices.Equal(w.underWay(), want) {
			assert.NoError(w, f.Yield())
		}
		assert.NoError(w, l.Close())
		assert.NoError(w, to.Close())
	})
}
