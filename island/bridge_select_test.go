package island_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// coast is a town with a port that a fiber of another town sends to over a bridge.
type coast struct {
	*town
	wire *island.Memory
	port *letters
	out  *letterSender // the other town's
	sent uint32
}

// reach joins the near town to a new one; if that says nothing, it is gone after giveUp.
func reach(t *testing.T, near *town, name string, giveUp time.Duration) *coast {
	c := &coast{town: found(t, &island.Registry{Epoch: 100}, name, island.Config{}), wire: island.NewMemory(1, island.Faults{})}
	here, there := c.wire.Ends()
	c.port = open[[2]uint32](c.town, name, 1)
	c.own(func() {
		side := island.NewBridge(c.Island, there, island.BridgeConfig{GiveUp: -1})
		there.Attach(side.Receive)
		island.Export(side, name, letterCodec{})
	})
	near.own(func() {
		side := island.NewBridge(near.Island, here, island.BridgeConfig{GiveUp: giveUp})
		here.Attach(side.Receive)
		_, err := island.Import(side, name, 1, letterCodec{})
		require.NoError(t, err)
		c.out, err = island.Dial[[2]uint32](near.Island, name) // before it can be given up
		require.NoError(t, err)
	})
	return c
}

// begins a new life of the other side, which says so.
func (c *coast) beginAnew() {
	_, there := c.wire.Ends()
	later := found(c.t, &island.Registry{Epoch: 200}, "later", island.Config{})
	later.own(func() {
		side := island.NewBridge(later.Island, there, island.BridgeConfig{GiveUp: -1})
		there.Attach(side.Receive)
		_, err := island.Import(side, "back", 1, letterCodec{})
		require.NoError(c.t, err)
	})
}

// A fiber that selects over several imports, all of them full, is told of the one whose other
// side has ended; what it did not send to the others has not gone there.
func TestASelectOverImportsIsToldWhichOtherSideHasEnded(t *testing.T) {
	for name, c := range map[string]struct {
		giveUp time.Duration
		end    func(c *coast)
		want   error
	}{
		"with a goodbye":  {-1, func(c *coast) { c.stop(errors.New("flood")) }, island.ErrDown},
		"without a word":  {50 * time.Millisecond, func(c *coast) { c.wire.Partition(true) }, island.ErrSilent},
		"in another life": {-1, (*coast).beginAnew, island.ErrDown},
	} {
		t.Run(name, func(t *testing.T) {
			near := found(t, new(island.Registry), "near", island.Config{})
			coasts := []*coast{reach(t, near, "east", c.giveUp), reach(t, near, "west", -1)}
			ended := near.do("writer", func(f *stackful.Fiber) error { return selects(f, coasts) })
			for full := false; !full; {
				require.Empty(t, ended, "it has ended with an error")
				near.own(func() {
					full = coasts[0].out.Waiting() > 0 && coasts[1].out.Waiting() > 0 || coasts[0].out.Err() != nil
				})
			}
			c.end(coasts[0])
			err := ends(t, ended)
			require.ErrorIs(t, err, wait.ErrClosed)
			require.ErrorIs(t, err, c.want)
			near.own(func() { require.Zero(t, coasts[1].out.Waiting()) })

			read := coasts[1].do("reader", func(f *stackful.Fiber) error { return reads(f, coasts[1]) })
			require.NoError(t, ends(t, near.do("last", func(f *stackful.Fiber) error {
				return send(f, coasts[1].out, [2]uint32{1, coasts[1].sent})
			})))
			require.NoError(t, ends(t, read))
		})
	}
}

// selects sends to whichever coast takes something until one is refused, the first as is hoped.
func selects(f *stackful.Fiber, coasts []*coast) error {
	for {
		east := island.SendTo(coasts[0].out, [2]uint32{0, coasts[0].sent})
		west := island.SendTo(coasts[1].out, [2]uint32{0, coasts[1].sent})
		k, err := f.Select(wait.NewSelect(east, west))
		switch {
		case err != nil:
			return err
		case east.Err() != nil:
			return east.Err()
		case west.Err() != nil:
			return fmt.Errorf("west: %v", west.Err())
		}
		coasts[k].sent++
	}
}

// reads everything up to the last, in order.
func reads(f *stackful.Fiber, c *coast) error {
	for want := uint32(0); ; want++ {
		v, ok, err := receive(f, c.port)
		if err != nil || !ok || v[1] != want {
			return fmt.Errorf("%v %v %v came, want %d", v, ok, err, want)
		}
		if v[0] == 1 {
			return nil
		}
	}
}
