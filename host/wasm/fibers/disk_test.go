//go:build !race

package fibers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/wallclock"
)

// In virtual time, which does it in place, and in real time, where workers do.
func TestAProgramHasItsFiles(t *testing.T) {
	for _, virtual := range []bool{true, false} {
		cfg := fibers.Config{Access: sandbox.Access{Dirs: []sandbox.Dir{{Host: t.TempDir(), Guest: "/data"}}}}
		if !virtual {
			cfg.Wasm.Runtime.Clock = wallclock.New()
		}
		e := play(t, cfg, program(t, "command"), "files", "/data")
		e.well(t)
		require.Equal(t, "b 1XY 67 8 2\nb ----------\nlink L---------\nstat /data/sub: No such file or directory\n", e.out)
	}
}

func TestADirectoryCanBeReadOnly(t *testing.T) {
	cfg := fibers.Config{Access: sandbox.Access{Dirs: []sandbox.Dir{{Host: t.TempDir(), Guest: "/data", ReadOnly: true}}}}
	e := play(t, cfg, program(t, "command"), "files", "/data")
	require.Contains(t, e.out, "mkdir /data/sub: Read-only file system")
}
