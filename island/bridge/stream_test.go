package bridge

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/wire"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Two halves of a stream, and frames between them that are lost, repeated and late: what
// comes out is what went in, once and in order; no more than a window is ever kept; and
// forged acknowledgements change nothing.
func TestAStreamDeliversOnceAndInOrder(t *testing.T) {
	type datum struct {
		seq  uint64
		body byte
	}
	rapid.Check(t, func(t *rapid.T) {
		var out outStream
		var in inStream
		var now fiber.Time
		var data []datum
		var acks []uint64
		var sent, read byte
		collect := func() {
			first, bodies := out.due(now)
			for k, body := range bodies {
				data = append(data, datum{first + uint64(k), body[0]})
			}
		}
		deliver := func(d datum) {
			in.accept(d.seq, []byte{d.body}, false)
			acks = append(acks, in.acknowledged())
		}
		readOne := func() {
			if len(in.pending) > 0 {
				require.Equal(t, read, in.pending[0][0])
				read++
				in.delivered()
				acks = append(acks, in.acknowledged())
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				if out.hasRoom() && sent < 255 {
					out.push([]byte{sent})
					sent++
				}
				collect()
			},
			"wait": func(t *rapid.T) {
				now = now.After(time.Duration(rapid.IntRange(0, 2000).Draw(t, "ms")) * time.Millisecond)
				collect()
			},
			"deliver any, again perhaps": func(t *rapid.T) {
				if len(data) > 0 {
					deliver(rapid.SampledFrom(data).Draw(t, "datum"))
				}
			},
			"acknowledge, late perhaps": func(t *rapid.T) {
				if len(acks) > 0 {
					out.acked(rapid.SampledFrom(acks).Draw(t, "ack"), now)
				}
			},
			"forge": func(t *rapid.T) {
				before, done := len(out.kept), out.done
				if n := rapid.Uint64().Draw(t, "ack"); n <= done || n > done+uint64(before-out.unsent) {
					require.False(t, out.acked(n, now))
					require.Equal(t, before, len(out.kept))
				}
				in.accept(in.expect+1+rapid.Uint64Range(0, 1<<40).Draw(t, "ahead"), []byte{99}, false)
			},
			"read": func(*rapid.T) { readOne() },
			"": func(t *rapid.T) {
				require.LessOrEqual(t, len(out.kept), window)
				require.LessOrEqual(t, len(in.pending), window)
				require.LessOrEqual(t, out.done, in.acknowledged())
			},
		})
		for read < sent || len(out.kept) > 0 { // the transport delivers at last
			now = now.After(maxResendDelay)
			data = nil
			collect()
			for _, d := range data {
				deliver(d)
			}
			for len(in.pending) > 0 {
				readOne()
			}
			out.acked(in.acknowledged(), now)
		}
		require.Empty(t, out.kept)
		require.Equal(t, fiber.Never, out.next())
	})
}

// An answer is what says how far the other side has come now.
func TestAStreamIsOverdueWithoutAnswers(t *testing.T) {
	const patience = 10 * time.Second
	for name, c := range map[string]struct {
		ack  uint64
		want bool
	}{
		"nothing":                               {ack: 9, want: true},
		"one from before the last":              {ack: 1, want: true},
		"that it has come no further":           {ack: 2},
		"that it has come further, not all way": {ack: 3},
	} {
		var o outStream
		for range 4 {
			o.push(nil)
		}
		o.due(0)
		require.True(t, o.acked(2, 0), name)
		for now := fiber.Time(0); now < 12*fiber.Time(time.Second); now = now.After(time.Second) {
			o.due(now)
			if now >= 5*fiber.Time(time.Second) {
				o.acked(c.ack, now)
			}
		}
		require.Equal(t, c.want, o.overdue(12*fiber.Time(time.Second), patience), name)
	}
}

// FuzzReceive: whatever the transport hands over, the bridge survives it, and what is not
// from its other side changes nothing.
func FuzzReceive(f *testing.F) {
	for _, p := range []packet{
		{form: wire.Data, from: island.Address{Island: 1, Incarnation: 1}, stream: 1, body: []byte("port p")},
		{form: wire.Data, from: island.Address{Island: 1, Incarnation: 1}, stream: 1, seq: 1, body: []byte("x"), last: true},
		{form: wire.Ack, from: island.Address{Island: 1, Incarnation: 1}, stream: 1, seq: 1, last: true, body: []byte("why")},
		{form: wire.Bye, from: island.Address{Island: 1, Incarnation: 1}, body: []byte("why")},
	} {
		f.Add(p.appendTo(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := parsePacket(b)
		if err != nil {
			require.ErrorIs(t, err, island.ErrFrame)
			return
		}
		require.Equal(t, b, p.appendTo(nil))
	})
}
