package minigo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// section is the part of docs/minigo.md below a heading.
func section(t *testing.T, heading string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/minigo.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found)
	part, _, _ := strings.Cut(rest, "\n## ")
	return part
}

func TestEveryRefusalIsDocumented(t *testing.T) {
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(.*?)` \\|").FindAllStringSubmatch(section(t, "What is not in the subset"), -1) {
		documented = append(documented, row[1])
	}
	slices.Sort(documented)
	refused := append(refusals(t, "internal/compile"), refusals(t, "internal/front")...)
	slices.Sort(refused)
	require.Equal(t, slices.Compact(refused), documented)
}

// refusals are what the calls of refuse and say in a package say. Each says it by a literal, so that
// the list is complete.
func refusals(t *testing.T, dir string) (all []string) {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.go")
	require.NoError(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !names(call.Fun, "refuse", "say") || len(call.Args) != 2 || isFileSet(call.Args[0]) {
				return true
			}
			literal, ok := call.Args[1].(*ast.BasicLit)
			require.True(t, ok, "%s: a refusal that is no literal", name)
			what, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			all = append(all, what)
			return true
		})
	}
	require.NotEmpty(t, all)
	return all
}

// names tells whether a function is called by one of the names, as a method or not.
func names(fn ast.Expr, any ...string) bool {
	if s, ok := fn.(*ast.SelectorExpr); ok {
		fn = s.Sel
	}
	id, ok := fn.(*ast.Ident)
	return ok && slices.Contains(any, id.Name)
}

// isFileSet is true of the first argument of front's refuse, which makes the whole list.
func isFileSet(e ast.Expr) bool { return names(e, "fset") }

func TestEveryPackageOfTheLibraryIsDocumented(t *testing.T) {
	var documented []string
	for _, name := range regexp.MustCompile("`([a-z0-9/]+)`").FindAllStringSubmatch(section(t, "The standard library"), -1) {
		documented = append(documented, name[1])
	}
	var has []string
	require.NoError(t, fs.WalkDir(os.DirFS("internal/lib/_std"), ".", func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".go" {
			has = append(has, filepath.ToSlash(filepath.Dir(path)))
		}
		return err
	}))
	slices.Sort(has)
	require.Equal(t, slices.Compact(has), documented)
}
