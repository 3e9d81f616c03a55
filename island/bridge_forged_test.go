package island

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// numbers is the codec of numbers below 1000.
type numbers struct{}

func (numbers) Append(b []byte, n uint16) ([]byte, error) {
	return binary.BigEndian.AppendUint16(b, n), nil
}

func (numbers) Parse(b []byte) (uint16, error) {
	if len(b) != 2 || binary.BigEndian.Uint16(b) >= 1000 {
		return 0, ErrFrame
	}
	return binary.BigEndian.Uint16(b), nil
}

// gully is a transport that nothing comes back from.
type gully struct{ sent int }

func (g *gully) Send(frame []byte) error {
	if _, err := parsePacket(frame); err != nil {
		return err
	}
	g.sent++
	return nil
}

// Packets that are well formed and say anything at all, from anybody: the bridge goes on, keeps no
// more than it says, and its own requests and ports come to their ends.
func TestABridgeSurvivesWhateverTheOtherSideSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := scheduler.NewVirtualClock()
		s := scheduler.New[int](scheduler.Config{Number: 1, Clock: clock})
		i, err := new(Registry).Join(&s.Core, Config{Name: "near", Programs: map[string]Program{
			"p": func([]byte) (fiber.RegularID, error) { return s.Spawn(0) },
		}})
		require.NoError(t, err)
		wire := new(gully)
		b := NewBridge(i, wire, BridgeConfig{Commands: true, GiveUp: time.Second})
		in, err := Open[uint16](i, "in", 2)
		require.NoError(t, err)
		Export(b, "in", numbers{})

		command := Spawn(i.addr, "p", nil)
		frame, _ := command.AppendTo(make([]byte, 8))
		bodies := rapid.OneOf(
			rapid.SampledFrom([][]byte{nil, {0, 1}, {255, 255}, []byte("port in"), []byte("port out"), []byte("commands"),
				[]byte("answers"), frame, make([]byte, 17), append(make([]byte, 16), 200)}),
			rapid.SliceOfN(rapid.Byte(), 0, 40))
		packets := rapid.Custom(func(t *rapid.T) packet {
			return packet{
				form: rapid.SampledFrom([]form{formData, formData, formData, formAck, formAck, formBye}).Draw(t, "form"),
				from: rapid.SampledFrom([]Address{{1, 2}, {1, 2}, {1, 2}, {2, 2}, {1, 3}, i.addr}).Draw(t, "from"),
				to:   rapid.SampledFrom([]Address{{}, i.addr, i.addr, {7, 7}}).Draw(t, "to"), stream: rapid.Uint32Range(0, 4).Draw(t, "stream"),
				seq: rapid.OneOf(rapid.Uint64Range(0, 4), rapid.Uint64()).Draw(t, "seq"), last: rapid.IntRange(0, 9).Draw(t, "last") == 0,
				body: bodies.Draw(t, "body"),
			}
		})
		var outs []*Port[uint16]
		asked := 0
		t.Repeat(map[string]func(*rapid.T){
			"forge": func(t *rapid.T) { p := packets.Draw(t, "packet"); b.Receive(p.appendTo(nil)) },
			"go on": func(t *rapid.T) { // as the other side would, up to what it says
				p := packets.Draw(t, "packet")
				p.form, p.from, p.to = formData, b.peer, Address{}
				if in := b.ins[p.stream]; in != nil {
					p.seq = in.expect
				}
				if rapid.Bool().Draw(t, "an answer") {
					p.body = append(binary.BigEndian.AppendUint64(nil, b.asked), make([]byte, 9)...)
				}
				if p.from != (Address{}) {
					b.Receive(p.appendTo(nil))
				}
			},
			"import": func(t *rapid.T) {
				if p, err := Import(b, "out", 2, numbers{}); err == nil {
					outs = append(outs, p)
				}
			},
			"send": func(t *rapid.T) {
				if out, err := Dial[uint16](i, "out"); err == nil {
					_, _ = out.TrySend(uint16(rapid.IntRange(0, 999).Draw(t, "value")))
					_ = out.Close()
				}
			},
			"ask": func(t *rapid.T) {
				for s.HasWork() { // those who were answered, and those who were spawned
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
		require.Zero(t, i.pending)
		require.Equal(t, fiber.Never, b.next())
		for _, p := range outs {
			if _, status := p.TryRecv(); status != wait.Closed {
				require.Nil(t, p.cause, "what is not used is not closed")
			}
		}
	})
}
