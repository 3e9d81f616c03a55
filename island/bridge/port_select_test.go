package bridge_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/bridge"
	"github.com/selvage-dev/selvage/island/bridge/memwire"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

// remote is a island with a port that a fiber of another island sends to over a bridge.
type remote struct {
	*islandtest.Running
	wire *memwire.Wire
	port *messages
	out  *messageSender // the other island's
	sent uint32
}

// reach joins the near island to a new one; if that says nothing, it is gone after giveUp.
func connect(t *testing.T, near *islandtest.Running, name string, giveUp time.Duration) *remote {
	c := &remote{Running: islandtest.Start(t, &island.Registry{Epoch: 100}, name, island.Config{}), wire: memwire.New(1, memwire.Faults{})}
	here, there := c.wire.Ends()
	c.port = islandtest.Open[[2]uint32](c.Running, name, 1)
	c.Own(func() {
		side := bridge.New(c.Island, there, bridge.Config{Timeout: -1})
		there.Attach(side.Receive)
		bridge.Export(side, name, messageCodec{})
	})
	near.Own(func() {
		side := bridge.New(near.Island, here, bridge.Config{Timeout: giveUp})
		here.Attach(side.Receive)
		_, err := bridge.Import(side, name, 1, messageCodec{})
		require.NoError(t, err)
		c.out, err = island.Dial[[2]uint32](near.Island, name) // before it can be given up
		require.NoError(t, err)
	})
	return c
}

// restart begins another incarnation of the other side, which sends something.
func (c *remote) restart() {
	_, there := c.wire.Ends()
	later := islandtest.Start(c.T, &island.Registry{Epoch: 200}, "later", island.Config{})
	later.Own(func() {
		side := bridge.New(later.Island, there, bridge.Config{Timeout: -1})
		there.Attach(side.Receive)
		_, err := bridge.Import(side, "back", 1, messageCodec{})
		require.NoError(c.T, err)
	})
}

// A fiber that selects over several imports, all of them full, is notified of the one whose other
// side has ended; what it did not send to the others has not gone there.
func TestASelectOverImportsLearnsWhichPeerHasEnded(t *testing.T) {
	for name, c := range map[string]struct {
		giveUp time.Duration
		end    func(c *remote)
		want   []error // one of them
	}{
		"with a goodbye": {-1, func(c *remote) { c.Stop(errors.New("stopped")) }, []error{island.ErrDown}},
		"without a word": {50 * time.Millisecond, func(c *remote) { c.wire.Partition(true) }, []error{bridge.ErrTimeout}},
		// It hears of the new life from a message of it, or by the refusal of one of its own.
		"in another life": {-1, (*remote).restart, []error{island.ErrDown, island.ErrUnknown}},
	} {
		t.Run(name, func(t *testing.T) {
			near := islandtest.Start(t, new(island.Registry), "near", island.Config{})
			remotes := []*remote{connect(t, near, "east", c.giveUp), connect(t, near, "west", -1)}
			ended := near.Go("writer", func(f *stackful.Fiber) error { return selects(f, remotes) })
			for full := false; !full; {
				require.Empty(t, ended, "it has ended with an error")
				near.Own(func() {
					full = remotes[0].blocked() && remotes[1].blocked() || remotes[0].out.Err() != nil
				})
			}
			c.end(remotes[0])
			err := <-ended
			require.ErrorIs(t, err, wait.ErrClosed)
			require.True(t, slices.ContainsFunc(c.want, func(want error) bool { return errors.Is(err, want) }), err)
			near.Own(func() { require.False(t, remotes[1].blocked()) })

			read := remotes[1].Go("reader", func(f *stackful.Fiber) error { return reads(f, remotes[1]) })
			require.NoError(t, <-near.Go("last", func(f *stackful.Fiber) error {
				return islandtest.Send(f, remotes[1].out, [2]uint32{1, remotes[1].sent})
			}))
			require.NoError(t, <-read)
		})
	}
}

// selects sends to whichever remote takes something until one is refused, the first as is hoped.
func selects(f *stackful.Fiber, remotes []*remote) error {
	for {
		east := island.SendTo(remotes[0].out, [2]uint32{0, remotes[0].sent})
		west := island.SendTo(remotes[1].out, [2]uint32{0, remotes[1].sent})
		k, err := f.Select(wait.NewSelect(east, west))
		switch {
		case err != nil:
			return err
		case east.Err() != nil:
			return east.Err()
		case west.Err() != nil:
			return fmt.Errorf("west: %v", west.Err())
		}
		remotes[k].sent++
	}
}

// blocked tells whether a fiber waits for room.
func (c *remote) blocked() bool {
	return !strings.HasSuffix(c.out.Source().(fiber.Described).Describe(), "senders waiting: 0)")
}

// reads everything up to the last, in order.
func reads(f *stackful.Fiber, c *remote) error {
	for want := uint32(0); ; want++ {
		v, ok, err := islandtest.Receive(f, c.port)
		if err != nil || !ok || v[1] != want {
			return fmt.Errorf("%v %v %v came, want %d", v, ok, err, want)
		}
		if v[0] == 1 {
			return nil
		}
	}
}
