package scopes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/selvage-dev/selvage/host/lua/internal/scopes"
)

func parsed(t *testing.T, source string) []ast.Stmt {
	t.Helper()
	chunk, err := parse.Parse(strings.NewReader(source), "p")
	require.NoError(t, err)
	return chunk
}

// scope is where a variable can be used.
type scope struct {
	name        string
	first, last int
}

func TestAVariableEndsWithItsBlock(t *testing.T) {
	proto, err := scopes.Compile(parsed(t, "do local a = 1 f() end local b = 2 local function g(p) local q = p return q end g(b)"), "p")
	require.NoError(t, err)
	require.Equal(t, []scope{{"a", 1, 2}, {"b", 4, len(proto.Code) - 1}, {"g", 4, len(proto.Code) - 1}}, scopesOf(proto))
	inner := proto.FunctionPrototypes[0]
	require.Equal(t, []scope{{"p", 0, len(inner.Code) - 1}, {"q", 1, len(inner.Code) - 1}}, scopesOf(inner))
}

func scopesOf(p *glua.FunctionProto) (list []scope) {
	for _, l := range p.DbgLocals {
		list = append(list, scope{l.Name, l.StartPc, l.EndPc})
	}
	return list
}

func TestCodeAndLinesAreThoseOfTheCompiler(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*/*.lua")
	require.NoError(t, err)
	more, err := filepath.Glob("../../fibers/testdata/*/*.lua")
	require.NoError(t, err)
	require.Greater(t, len(files)+len(more), 20)
	for _, file := range append(files, more...) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		chunk, err := parse.Parse(strings.NewReader(string(source)), file)
		if err != nil {
			continue // a program with a mistake
		}
		want, err := glua.Compile(chunk, file)
		require.NoError(t, err)
		got, err := scopes.Compile(parsed(t, string(source)), file)
		require.NoError(t, err)
		same(t, want, got)
	}
}

// same compares functions, and those in them, but for the ends of variables, which must be known.
func same(t *testing.T, want, got *glua.FunctionProto) {
	t.Helper()
	require.Len(t, got.DbgLocals, len(want.DbgLocals))
	for i, l := range got.DbgLocals {
		require.GreaterOrEqual(t, l.EndPc, 0, "%s in line %d", l.Name, got.LineDefined)
		require.Less(t, l.EndPc, len(got.Code))
		l.EndPc = want.DbgLocals[i].EndPc
	}
	require.Len(t, got.FunctionPrototypes, len(want.FunctionPrototypes))
	for i := range got.FunctionPrototypes {
		same(t, want.FunctionPrototypes[i], got.FunctionPrototypes[i])
	}
	require.Equal(t, want.Code, got.Code)
	require.Equal(t, want.DbgSourcePositions, got.DbgSourcePositions)
	require.Equal(t, want.DbgLocals, got.DbgLocals)
	require.Equal(t, want.DbgCalls, got.DbgCalls)
	require.Equal(t, fmt.Sprint(want.Constants), fmt.Sprint(got.Constants)) // NaN is no NaN
	require.Equal(t, [2]int{want.LineDefined, want.LastLineDefined}, [2]int{got.LineDefined, got.LastLineDefined})
}

func TestARefusedChunkHasTheMessageOfTheCompiler(t *testing.T) {
	for _, source := range []string{"local a\nbreak", "goto x", "do ::x:: end\n::y::\n::y::", "local a <const> = 1", "\ngoto l\nlocal b\n::l::\nprint(b)"} {
		chunk, err := parse.Parse(strings.NewReader(source), "p")
		if err != nil {
			continue // it is no chunk
		}
		_, want := glua.Compile(chunk, "p")
		_, got := scopes.Compile(parsed(t, source), "p")
		require.Equal(t, message(want), message(got), source)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
