package island_test

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/stretchr/testify/require"
)

var someCommands = []island.Command{
	island.Spawn(island.Address{Island: 3, Incarnation: 9}, "program", []byte("arguments")),
	island.Spawn(island.Address{}, "", nil),
	island.Wake(island.Address{Island: 1, Incarnation: 1}, fiber.Ticket{ID: fiber.NewRegularID(4, 2).ID(), Seq: fiber.NewSeq(1, 77)},
		fiber.Result{Code: fiber.Closed, Value: 5}),
	island.Cancel(island.Address{Island: 65535, Incarnation: 1<<32 - 1}, fiber.NewTrampolineID(0, 1).ID(), "cause"),
	island.Shutdown(island.Address{Island: 2, Incarnation: 1}, "the end"),
}

func TestACommandSurvivesEncoding(t *testing.T) {
	for _, want := range someCommands {
		b, err := want.AppendTo([]byte("before"))
		require.NoError(t, err)
		got, err := island.ParseCommand(b[len("before"):])
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestATruncatedOrCorruptedFrameIsRefused(t *testing.T) {
	for _, c := range someCommands {
		whole, err := c.AppendTo(nil)
		require.NoError(t, err)
		for n := range whole {
			_, err := island.ParseCommand(whole[:n])
			require.ErrorIs(t, err, island.ErrFrame, "%v cut to %d of %d bytes", c, n, len(whole))
		}
		for bit := range len(whole) * 8 {
			b := append([]byte(nil), whole...)
			b[bit/8] ^= 1 << (bit % 8)
			_, err := island.ParseCommand(b)
			require.ErrorIs(t, err, island.ErrFrame, "%v with bit %d flipped", c, bit)
		}
	}
}

func TestAnInvalidCommandIsNotEncoded(t *testing.T) {
	huge := island.Spawn(island.Address{}, "p", make([]byte, 1<<20))
	for _, c := range []island.Command{huge, {}, island.InvalidCommand(island.Address{})} {
		b, err := c.AppendTo(nil)
		require.ErrorIs(t, err, island.ErrFrame)
		require.Empty(t, b)
	}
}

// FuzzParseCommand: whatever comes, it is refused or it is a command that has that very
// wire form.
func FuzzParseCommand(f *testing.F) {
	for _, c := range someCommands {
		b, _ := c.AppendTo(nil)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := island.ParseCommand(b)
		if err != nil {
			return
		}
		again, err := c.AppendTo(nil)
		require.NoError(t, err)
		require.Equal(t, b, again)
	})
}
