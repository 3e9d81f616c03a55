package minigo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/gen"
)

// A program does the same in every way it can be run, whatever choices it is made of.
func FuzzEveryWayDoesTheSame(f *testing.F) {
	f.Add([]byte{})
	for i := range 20 {
		choices := make([]byte, 500)
		for j := range choices {
			choices[j] = byte(i*j*j + j)
		}
		f.Add(choices)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		program := []*gen.Program{gen.New(gen.Bytes(choices), 0)}
		endings := interpretAll(t, program)
		for way, got := range endings {
			require.Equal(t, endings[0], got, "%v\n%s", ways()[way], gen.Main(program...))
		}
		require.NotContains(t, endings[0][0].end, "context deadline exceeded")
	})
}
