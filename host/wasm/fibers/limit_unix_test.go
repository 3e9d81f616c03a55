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

// The engine opens a directory when the program first uses it.
func TestADirectoryThatCannotBeOpenedForWantOfDescriptorsIsAnErrorNumber(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), nil, 0o644))
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	lower := limit
	lower.Cur = 256
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &lower))
	defer func() { require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)) }()
	access := sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/a"}, {Host: dir, Guest: "/b"}}}
	withWASI(t, access, 1, func(g *wasiGuest) {
		at, n := g.put(1024, "f")
		open := func(dir int64) uint64 {
			errno, err := g.call("path_open", dir, 1, at, n, 0, mayRead, 0, 0, 1000)
			require.NoError(t, err)
			return errno
		}
		for open(3) == 0 {
		}
		require.EqualValues(t, errnoBadFile, open(4))
	})
}
