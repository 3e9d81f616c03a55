package island_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An island is as large as its mailbox. Neither the registry nor a neighbour that has sent
// to it, or that it has sent to, keeps it once it has gone, or a program in which islands
// come and go would grow.
func TestAnIslandThatHasGoneIsForgotten(t *testing.T) {
	r := new(island.Registry)
	neighbour := found(t, r, "neighbour", island.Config{})
	inbox := open[int](neighbour, "inbox", 1)
	for name, meet := range map[string]func(b *town){
		"nobody met it": func(*town) {},
		"the neighbour sent to it": func(b *town) {
			port := open[int](b, "port", 1)
			s := dial[int](neighbour, "port")
			deliver(t, neighbour, s, b, port)
			neighbour.own(func() { _ = s.Close() })
		},
		"it sent to the neighbour": func(b *town) { deliver(t, b, dial[int](b, "inbox"), neighbour, inbox) },
	} {
		var gone weak.Pointer[island.Island]
		t.Run(name, func(t *testing.T) {
			b := found(t, r, "short", island.Config{})
			meet(b)
			gone = weak.Make(b.Island)
			b.stop(nil)
		})
		for range 2 { // in the second turn at the latest it has heard of the end
			neighbour.own(func() {})
		}
		runtime.GC()
		assert.Nil(t, gone.Value(), name)
	}
	runtime.KeepAlive(r)
}

// deliver has a fiber of one island send to a fiber of another.
func deliver(t *testing.T, from *town, s *island.Sender[int], to *town, port *island.Port[int]) {
	writer := from.do("writer", func(f *stackful.Fiber) error { return send(f, s, 1) })
	reader := to.do("reader", func(f *stackful.Fiber) error {
		_, _, err := receive(f, port)
		return err
	})
	require.NoError(t, ends(t, writer))
	require.NoError(t, ends(t, reader))
}
