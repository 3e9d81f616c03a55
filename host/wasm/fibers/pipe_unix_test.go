//go:build unix

package fibers_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/sandbox"
)

// To open the file again by its name would open a named pipe, and block all fibers until its other
// end is opened.
func TestTheFlagsOfAFileAreSetThoughItsNameIsThatOfAPipe(t *testing.T) {
	dir := t.TempDir()
	withWASI(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/d"}}}, 1, func(g *wasiGuest) {
		fd := g.open(t, "f", create, mayRead|mayWrite, 0)
		require.NoError(t, os.Remove(filepath.Join(dir, "f")))
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "f"), 0o600))
		other, err := os.OpenFile(filepath.Join(dir, "f"), os.O_RDWR, 0) // lets a mistake fail instead of wait
		require.NoError(t, err)
		g.must(t, "fd_fdstat_set_flags", fd, appending)
		require.NoError(t, other.Close())
	})
}

func TestAPipeThatIsOpenedNonblockingDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(name, 0o600))
	withWASI(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/d"}}}, 1, func(g *wasiGuest) {
		r := g.open(t, "pipe", 0, mayRead, nonblock)
		w := g.open(t, "pipe", 0, mayWrite, nonblock)
		at, count := g.vectors(2048, []byte("abc"))
		errno, err := g.call("fd_read", r, at, count, 1000)
		require.NoError(t, err)
		require.EqualValues(t, errnoAgain, errno)
		g.must(t, "fd_write", w, at, count, 1000)
		g.memory().WriteString(2056, "...")
		g.must(t, "fd_read", r, at, count, 1000)
		text, _ := g.memory().Read(2056, 3)
		require.Equal(t, "abc", string(text))
	})
}
