package fibers_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/sandbox"
)

// The engine writes the next part of a call even if only some of the part before is written.
func TestAllPartsOfAWriteAreWrittenInOrder(t *testing.T) {
	dir := t.TempDir()
	large, small := bytes.Repeat([]byte("0123456789"), 300_000), []byte("end")
	withWASI(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/d"}}}, 64, func(g *wasiGuest) {
		at, count := g.vectors(4096, large, small)
		g.must(t, "fd_write", g.open(t, "w", create, mayWrite, 0), at, count, 1000)
		require.EqualValues(t, len(large)+len(small), g.word(1000))
		g.must(t, "fd_pwrite", g.open(t, "p", create, mayWrite, 0), at, count, 5, 1000)
		require.EqualValues(t, len(large)+len(small), g.word(1000))
	})
	for name, hole := range map[string]int{"w": 0, "p": 5} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(append(append(make([]byte, hole), large...), small...), text))
	}
}
