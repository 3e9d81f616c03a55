package bridge

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/wire"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// numbers is the codec of numbers below 1000.
type numbers struct{}

func (numbers) Append(b []byte, n uint16) ([]byte, error) {
	return binary.BigEndian.AppendUint16(b, n), nil
}

func (numbers) Parse(b []byte) (uint16, error) {
	if len(b) != 2 || binary.BigEndian.Uint16(b) >= 1000 {
		return 0, island.ErrFrame
	}
	return binary.BigEndian.Uint16(b), nil
}

// discarding is a transport that nothing comes back from.
type discarding struct{ sent int }

func (g *discarding) Send(frame []byte) error {
	if _, err := parsePacket(frame); err != nil {
		return err
	}
	g.sent++
	return nil
}

// Well-formed packets with any content from any address: the bridge goes on, keeps no
// more than it says, and its own requests and ports come to their ends.
func TestABridgeSurvivesForgedPackets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := scheduler.NewVirtualClock()
		s := scheduler.New[int](scheduler.Config{Number: 1, Clock: clock})
		i, err := new(island.Registry).Join(&s.Core, island.Config{Name: "near", Programs: map[string]func([]byte) (fiber.RegularID, error){
			"p": func([]byte) (fiber.RegularID, error) { return s.Spawn(0) },
		}})
		require.NoError(t, err)
		transport := new(discarding)
		b := New(i, transport, Config{AllowCommands: true, Timeout: time.Second})
		in, err := island.Open[uint16](i, "in", 2)
		require.NoError(t, err)
		Export(b, "in", numbers{})

		command := island.Spawn(i.Address(), "p", nil)
		frame, _ := command.AppendTo(make([]byte, 8))
		bodies := rapid.OneOf(
			rapid.SampledFrom([][]byte{nil, {0, 1}, {255, 255}, []byte("port in"), []byte("port out"), []byte("commands"),
				[]byte("answers"), frame, make([]byte, 17), append(make([]byte, 16), 200)}),
			rapid.SliceOfN(rapid.Byte(), 0, 40))
		peer, laterPeer := island.Address{Island: 1, Incarnation: 2}, island.Address{Island: 1, Incarnation: 3}
		otherIsland, unknown := island.Address{Island: 2, Incarnation: 2}, island.Address{Island: 7, Incarnation: 7}
		packets := rapid.Custom(func(t *rapid.T) packet {
			return packet{
				form: rapid.SampledFrom([]wire.Form{wire.Data, wire.Data, wire.Data, wire.Ack, wire.Ack, wire.Bye}).Draw(t, "form"),
				from: rapid.SampledFrom([]island.Address{peer, peer, peer, otherIsland, laterPeer, i.Address()}).Draw(t, "from"),
				to:   rapid.SampledFrom([]island.Address{{}, i.Address(), i.Address(), unknown}).Draw(t, "to"), stream: rapid.Uint32Range(0, 4).Draw(t, "stream"),
				seq: rapid.OneOf(rapid.Uint64Range(0, 4), rapid.Uint64()).Draw(t, "seq"), last: rapid.IntRange(0, 9).Draw(t, "last") == 0,
				body: bodies.Draw(t, "body"),
			}
		})
		var outs []*island.Port[uint16]
		asked := 0
		t.Repeat(map[string]func(*rapid.T){
			"forge": func(t *rapid.T) { p := packets.Draw(t, "packet"); b.Receive(p.appendTo(nil)) },
			"go on": func(t *rapid.T) { // as the other side would, up to what it says
				p := packets.Draw(t, "packet")
				p.form, p.from, p.to = wire.Data, b.peer, island.Address{}
				if in := b.ins[p.stream]; in != nil {
					p.seq = in.expect
				}
				if rapid.Bool().Draw(t, "an answer") {
					p.body = append(binary.BigEndian.AppendUint64(nil, b.requested), make([]byte, 9)...)
				}
				if p.from != (island.Address{}) {
					b.Receive(p.appendTo(nil))
				}
			},
			"import": func(t *rapid.T) {
				if p, err := Import(b, "out", 2, numbers{}); err == nil {
					outs = append(outs, p)
				}
			},
			"send": func(t *rapid.T) {
				if out, err := island.Dial[uint16](i, "out"); err == nil {
					_, _ = out.TrySend(uint16(rapid.IntRange(0, 999).Draw(t, "value")))
					_ = out.Close()
				}
			},
			"ask": func(t *rapid.T) {
				for s.HasWork() { // fibers that were answered or spawned
					s.Poll()
					require.NotNil(t, s.ScheduleNext())
					s.KillCurrent()
				}
				_, err := s.Spawn(0)
				require.NoError(t, err)
				s.Poll()
				require.NotNil(t, s.ScheduleNext())
				tok, err := s.Ops().Submit()
				require.NoError(t, err)
				require.NoError(t, b.Request(tok, command))
				s.BlockForIO(tok)
				asked++
			},
			"read": func(*rapid.T) { in.TryRecv() },
			"pass": func(t *rapid.T) {
				clock.Advance(clock.Now().After(time.Duration(rapid.IntRange(0, 500).Draw(t, "ms")) * time.Millisecond))
			},
			"": func(t *rapid.T) {
				s.Poll()
				for _, in := range b.ins {
					require.LessOrEqual(t, len(in.pending), window)
				}
			},
		})
		for range 100 {
			clock.Advance(clock.Now().After(time.Second))
			s.Poll()
		}
		require.Empty(t, b.requests, "asked %d", asked)
		for s.HasWork() {
			s.Poll()
			require.NotNil(t, s.ScheduleNext())
			s.KillCurrent()
		}
		require.Zero(t, s.Inspect().Blocked(), "a fiber waits for an answer")
		require.Equal(t, fiber.Never, b.Next())
		for _, p := range outs {
			if _, status := p.TryRecv(); status != wait.Closed {
				require.Nil(t, p.Err(), "what is not used is not closed")
			}
		}
	})
}
