package fibers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

func TestAHostKeepsTheTextOfWhatItHasLoaded(t *testing.T) {
	const program = `
package.path = "../testdata/modules/?.lua"
require "module"
loadstring("return 1", "one")()
loadstring("return 1", "one")()
loadstring("return 1", "two")()
loadstring("return 2", "two")()
loadstring("return 3", ("x"):rep(100000))()
loadstring("return 4", "four")()`
	s := set(t, Config{Lua: lua.Config{KeepSource: 10_000}})
	s.play(program)
	for file, want := range map[string]string{"p.lua": program, "one": "return 1", "four": "return 4"} {
		text, ok := s.Source(file)
		require.True(t, ok, file)
		require.Equal(t, want, string(text))
	}
	text, ok := s.Source("../testdata/modules/module.lua")
	require.True(t, ok)
	require.NotEmpty(t, text)
	for _, file := range []string{"two", strings.Repeat("x", 100_000), "", "/etc/hostname", "../testdata/modules/value.lua"} {
		_, ok := s.Source(file)
		require.False(t, ok, file)
	}
}

func TestAHostThatIsNotAskedKeepsNoText(t *testing.T) {
	s := set(t, Config{})
	s.play("loadstring('return 1', 'one')()")
	for _, file := range []string{"p.lua", "one"} {
		_, ok := s.Source(file)
		require.False(t, ok, file)
	}
}
