//go:build !purego

// A build with purego has gopher-lua's arrays: docs/lua.md, Limits.

package lua_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

// A distant key is in the hash part of a table. A program cannot tell, in whatever way it reads.
func TestEveryWayOfReadingATableFindsDistantKeys(t *testing.T) {
	program, err := os.ReadFile("testdata/distant.lua")
	require.NoError(t, err)
	d := newDriver(t, lua.Config{Deep: true}, 1<<40)
	main := d.run(t, string(program))
	require.NoError(t, main.err)
}
