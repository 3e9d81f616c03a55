package island_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An island is as large as its mailbox. Neither the registry nor a neighbour that has sent
// to it, or that it has sent to, keeps it once it has gone, or a program in which islands
// come and go would grow.
func TestAnIslandThatHasLeftIsNotKeptAlive(t *testing.T) {
	r := new(island.Registry)
	neighbour := islandtest.Start(t, r, "neighbour", island.Config{})
	inbox := islandtest.Open[int](neighbour, "inbox", 1)
	for name, meet := range map[string]func(b *islandtest.Running){
		"no contact": func(*islandtest.Running) {},
		"the neighbour sent to it": func(b *islandtest.Running) {
			port := islandtest.Open[int](b, "port", 1)
			s := islandtest.Dial[int](neighbour, "port")
			deliver(t, neighbour, s, b, port)
			neighbour.Own(func() { _ = s.Close() })
		},
		"it sent to the neighbour": func(b *islandtest.Running) { deliver(t, b, islandtest.Dial[int](b, "inbox"), neighbour, inbox) },
	} {
		var gone weak.Pointer[island.Island]
		t.Run(name, func(t *testing.T) {
			b := islandtest.Start(t, r, "short", island.Config{})
			meet(b)
			gone = weak.Make(b.Island)
			b.Stop(nil)
		})
		for range 2 { // in the second turn at the latest it has learned of the end
			neighbour.Own(func() {})
		}
		runtime.GC()
		assert.Nil(t, gone.Value(), name)
	}
	runtime.KeepAlive(r)
}

// deliver has a fiber of one island send to a fiber of another.
func deliver(t *testing.T, from *islandtest.Running, s *island.Sender[int], to *islandtest.Running, port *island.Port[int]) {
	writer := from.Go("writer", func(f *stackful.Fiber) error { return islandtest.Send(f, s, 1) })
	reader := to.Go("reader", func(f *stackful.Fiber) error {
		_, _, err := islandtest.Receive(f, port)
		return err
	})
	require.NoError(t, <-writer)
	require.NoError(t, <-reader)
}
