package lua

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

func TestACompiledChunkRunsInAnyState(t *testing.T) {
	proto, err := Compile(strings.NewReader(`n = (n or 0) + 1 return n, ...`), "c.lua")
	require.NoError(t, err)
	for range 2 {
		s := New(Config{})
		fn := s.Base().NewFunctionFromProto(proto)
		for i := range 2 {
			values, err := s.Main().Run(unlimited{}, fn, glua.LString("arg"))
			require.NoError(t, err)
			require.Equal(t, []glua.LValue{glua.LNumber(i + 1), glua.LString("arg")}, values)
		}
		s.Close()
	}
}

func TestCompileHasTheErrorsOfLoad(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	for _, source := range []string{"x =", "for", "\x00", strings.Repeat("(", 20000), "local a " + strings.Repeat("local b ", 300)} {
		_, loaded := s.Load(strings.NewReader(source), "c.lua")
		_, compiled := Compile(strings.NewReader(source), "c.lua")
		require.Error(t, compiled, "%.20q", source)
		require.Equal(t, loaded, compiled)
		require.IsType(t, new(glua.ApiError), compiled)
	}
}
