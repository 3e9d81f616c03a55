package gen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/front"
	"github.com/selvage-dev/selvage/host/minigo/internal/gen"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/internal/long"
)

func program(seed, number int) *gen.Program {
	return gen.New(rand.New(rand.NewPCG(uint64(seed), uint64(number))), number)
}

func programs(seed, n int) (list []*gen.Program) {
	for i := range n {
		list = append(list, program(seed, i))
	}
	return list
}

// front.Check is go/types, with the part of the standard library that minigo has.
func TestEveryProgramHasTheRightTypes(t *testing.T) {
	source := gen.Main(programs(1, long.Cases(100, 300))...)
	_, err := front.Check([]front.Source{{Name: "p.go", Text: []byte(source)}}, lib.Source, nil)
	require.NoError(t, err)
}

func TestTheSameChoicesMakeTheSameProgram(t *testing.T) {
	require.Equal(t, program(1, 7).Text(), program(1, 7).Text())
	require.NotEqual(t, program(1, 7).Text(), program(2, 7).Text())
}

// A program of noughts only is what a fuzzer begins with.
func TestChoicesThatHaveRunOutMakeASmallProgram(t *testing.T) {
	require.Less(t, len(gen.New(gen.Bytes(nil), 0).Text()), 3000)
}

func TestAProgramShrinksToWhatHasTheTrait(t *testing.T) {
	whole := program(1, 7)
	small := gen.Shrink(whole, func(candidates []*gen.Program) []bool {
		has := make([]bool, len(candidates))
		for i, p := range candidates {
			has[i] = strings.Contains(p.Text(), "defer")
		}
		return has
	})
	require.Contains(t, small.Text(), "defer")
	require.Less(t, len(small.Text()), len(whole.Text())/4)
}

// A compiler may evaluate an argument of min or max twice. Only a call shows it.
func TestSomeProgramsCallInLaterArgumentsOfMinAndMax(t *testing.T) {
	found := 0
	for _, p := range programs(1, long.Cases(300, 300)) {
		source, err := parser.ParseFile(token.NewFileSet(), "", gen.Main(p), 0)
		require.NoError(t, err)
		ast.Inspect(source, func(n ast.Node) bool {
			if call, is := n.(*ast.CallExpr); is && callsOne(call, "min", "max") {
				for _, later := range call.Args[1:] {
					if effective(later) {
						found++
					}
				}
			}
			return true
		})
	}
	require.Greater(t, found, 10)
}

func callsOne(call *ast.CallExpr, names ...string) bool {
	name, is := call.Fun.(*ast.Ident)
	return is && slices.Contains(names, name.Name)
}

// ofProgram are the functions that a program declares.
var ofProgram = regexp.MustCompile(`^P\d+f\d+$`)

// effective returns whether the expression calls what the program has written.
func effective(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is {
			name, plain := call.Fun.(*ast.Ident)
			found = found || plain && ofProgram.MatchString(name.Name)
		}
		return true
	})
	return found
}
