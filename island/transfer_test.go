package island

import (
	"testing"

	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

// cargo is emptied when it is sent, and something happens at that moment.
type cargo struct{ *freight }

type freight struct {
	text string
	when func()
}

func (c *cargo) Move() cargo {
	moved := *c.freight
	*c.freight = freight{}
	moved.when()
	return cargo{&moved}
}

// cargoPort is a port of one island and its Sender on another; the test plays both owners.
func cargoPort(t *testing.T) (p *Port[cargo], s *Sender[cargo], poll func()) {
	t.Helper()
	r := new(Registry)
	home, to := joined(t, r, "home")
	_, from := joined(t, r, "away")
	p, err := Open[cargo](to, "quay", 1)
	require.NoError(t, err)
	s, err = Dial[cargo](from, "quay")
	require.NoError(t, err)
	home.Poll()
	return p, s, func() { home.Poll() }
}

// The port is closed while the value is transferred: the value is received, or it is still the
// caller's. Nothing else is possible (I12).
func TestAValueIsNotLostIfThePortClosesDuringItsTransfer(t *testing.T) {
	p, s, poll := cargoPort(t)
	v := cargo{&freight{"tea", func() {
		require.NoError(t, p.Close())
		_, status := p.TryRecv()
		require.Equal(t, wait.Empty, status, "the port has ended before the value has arrived")
	}}}
	ok, err := s.TrySend(v)
	require.NoError(t, err)
	require.True(t, ok)
	require.Empty(t, v.text)
	poll()
	got, status := p.TryRecv()
	require.Equal(t, wait.Received, status)
	require.Equal(t, "tea", got.text)
	_, status = p.TryRecv()
	require.Equal(t, wait.Closed, status)
}

// The place that was taken for the value is free again, whether or not the port is closed meanwhile.
func TestATransferThatPanicsSendsNothing(t *testing.T) {
	for name, closes := range map[string]bool{"open": false, "closed": true} {
		t.Run(name, func(t *testing.T) {
			p, s, poll := cargoPort(t)
			require.Panics(t, func() {
				_, _ = s.TrySend(cargo{&freight{"tea", func() {
					if closes {
						require.NoError(t, p.Close())
					}
					panic("it fell into the water")
				}}})
			})
			poll()
			_, status := p.TryRecv()
			if closes {
				require.Equal(t, wait.Closed, status)
				return
			}
			require.Equal(t, wait.Empty, status)
			ok, err := s.TrySend(cargo{&freight{"salt", func() {}}})
			require.NoError(t, err)
			require.True(t, ok)
			poll()
			got, _ := p.TryRecv()
			require.Equal(t, "salt", got.text)
		})
	}
}
