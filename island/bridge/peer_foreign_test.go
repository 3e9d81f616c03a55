package bridge

import (
	"testing"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/island/internal/wire"
	"github.com/stretchr/testify/require"
)

// requesting is a bridge that knows its peer, and has an open request to it.
func requesting(t *testing.T, peer island.Address) (b *Bridge, i *islandtest.Stepped) {
	t.Helper()
	i = islandtest.Join(t, new(island.Registry), "near")
	b = New(i.Island, new(discarding), Config{})
	b.hears(packet{form: wire.Ack, from: peer}, i)
	i.SpawnCurrent()
	tok, err := i.Ops().Submit()
	require.NoError(t, err)
	require.NoError(t, b.Request(tok, island.Shutdown(peer, "enough")))
	i.BlockForIO(tok)
	i.Poll()
	require.Equal(t, peer, b.peer)
	return b, i
}

// hears has the bridge handle one packet.
func (b *Bridge) hears(p packet, i *islandtest.Stepped) {
	b.Receive(p.appendTo(nil))
	i.Poll()
}

// An incarnation belongs to one island of a registry. So a frame of another island with the
// incarnation of the peer is of another registry, and says nothing about the peer.
func TestAFrameOfAnotherIslandIsNoRestartOfThePeer(t *testing.T) {
	peer := island.Address{Island: 3, Incarnation: 7}
	for name, c := range map[string]struct {
		from    island.Address
		restart bool
	}{
		"another island":                      {island.Address{Island: 4, Incarnation: 7}, false},
		"another island, earlier":             {island.Address{Island: 4, Incarnation: 6}, false},
		"an earlier incarnation":              {island.Address{Island: 3, Incarnation: 6}, false},
		"a later incarnation":                 {island.Address{Island: 3, Incarnation: 8}, true},
		"a later incarnation, another number": {island.Address{Island: 4, Incarnation: 8}, true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, form := range []wire.Form{wire.Data, wire.Ack, wire.Bye} {
				b, i := requesting(t, peer)
				b.hears(packet{form: form, from: c.from, stream: 99}, i)
				if c.restart {
					require.Equal(t, c.from, b.peer)
					require.Empty(t, b.requests)
					require.Zero(t, b.Counts().Misaddressed)
					continue
				}
				require.Equal(t, peer, b.peer)
				require.Len(t, b.requests, 1, "its request was ended")
				require.EqualValues(t, 1, b.Counts().Misaddressed)
			}
		})
	}
}
