package fibers_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/sandbox"
)

// A program may open a file for reading with flags that create or truncate it.
func TestAReadOnlyDirectoryIsNotChangedByFlags(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte("text"), 0o644))
	access := sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/d", ReadOnly: true}}}
	withWASI(t, access, 1, func(g *wasiGuest) {
		for _, name := range []string{"f", "new"} {
			at, n := g.put(1024, name)
			for _, oflags := range []int64{create, truncate, create | truncate} {
				for _, fdflags := range []int64{0, appending} {
					errno, err := g.call("path_open", 3, 1, at, n, oflags, mayRead, 0, fdflags, 1000)
					require.NoError(t, err)
					require.EqualValues(t, errnoReadOnly, errno)
				}
			}
		}
		g.open(t, "f", 0, mayRead, 0)
	})
	text, err := os.ReadFile(filepath.Join(dir, "f"))
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
	require.NoFileExists(t, filepath.Join(dir, "new"))
}

func TestAFileCanBeSetToAppendAndBack(t *testing.T) {
	dir := t.TempDir()
	withWASI(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/d"}}}, 1, func(g *wasiGuest) {
		fd := g.open(t, "f", create, mayRead|mayWrite, appending)
		write := func(text string) {
			at, count := g.vectors(2048, []byte(text))
			g.must(t, "fd_write", fd, at, count, 1000)
		}
		write("abcd")
		g.must(t, "fd_seek", fd, 0, 0, 1000)
		write("ef")
		g.must(t, "fd_fdstat_set_flags", fd, 0)
		g.must(t, "fd_seek", fd, 0, 0, 1000)
		write("XY")
		at, count := g.vectors(2048, []byte("Z"))
		g.must(t, "fd_pwrite", fd, at, count, 3, 1000)
		g.must(t, "fd_fdstat_set_flags", fd, appending)
		write("!")
	})
	text, err := os.ReadFile(filepath.Join(dir, "f"))
	require.NoError(t, err)
	require.Equal(t, "XYcZef!", string(text))
}
