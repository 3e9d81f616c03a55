package levels_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/gopher-lua/parse"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua/internal/levels"
)

func TestLevelsAreThoseOfTheTableAndCoverTheSyntaxTree(t *testing.T) { rapid.Check(t, levelsAreRight) }

func FuzzLevels(f *testing.F) { f.Fuzz(rapid.MakeFuzz(levelsAreRight)) }

// levelsAreRight wants of a program that gopher-lua accepts that its levels are those of
// the table, neither more nor fewer, and not fewer than those of its syntax tree.
func levelsAreRight(t *rapid.T) {
	source := rapid.OneOf(tokens(), grammar(), altered(), rapid.String()).Draw(t, "source")
	n := levels.Count(source)
	tree, err := parse.Parse(strings.NewReader(source), "")
	if err != nil {
		return
	}
	require.Equal(t, count(source), n)
	require.GreaterOrEqual(t, n, height(tree))
}
