package minigo_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/host/minigo/internal/gen"
	"github.com/selvage-dev/selvage/internal/long"
)

var (
	shrinks = flag.Int("shrinks", 1, "of how many random programs that differ smaller ones are looked for")
	seed    = flag.Uint64("seed", 1, "the seed of the random programs")
)

// together is how many random programs are one source, and how many sources one build.
const (
	together = 25
	building = 80
)

// ending is what a program prints and the first words of its end.
type ending struct{ out, end string }

// TestRandomProgramsDoWhatGoDoes compares random programs with what Go makes of them, as
// they are run in every way.
func TestRandomProgramsDoWhatGoDoes(t *testing.T) {
	if !long.On(t) {
		return
	}
	n := long.Cases(0, 2000)
	if testing.Short() {
		n = 300
	}
	left := *shrinks
	for first := 0; first < n; first += together * building {
		var batches [][]*gen.Program
		for at := first; at < min(n, first+together*building); at += together {
			batches = append(batches, random(at, min(together, n-at)))
		}
		oracle := startOracle(t, batches)
		for i, b := range batches {
			wrong := different(t, b, interpretAll(t, b), oracle.run(t, i, b))
			for _, p := range wrong[:min(left, len(wrong))] {
				left--
				report(t, p)
			}
		}
	}
}

func random(first, n int) (programs []*gen.Program) {
	for i := range n {
		programs = append(programs, gen.New(rand.New(rand.NewPCG(*seed, uint64(first+i))), first+i))
	}
	return programs
}

// interpretAll is how the programs end, by mode.
func interpretAll(t *testing.T, programs []*gen.Program) (endings [][]ending) {
	t.Helper()
	compiled, err := minigo.Compile(minigo.File{Name: "random.go", Text: []byte(gen.Main(programs...))})
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range ways() {
		endings = append(endings, interpret(t, compiled, programs, cfg))
	}
	return endings
}

// different are the programs that do not end as they should.
func different(t *testing.T, programs []*gen.Program, got [][]ending, want []ending) (list []*gen.Program) {
	t.Helper()
	for i, p := range programs {
		for mode := range got {
			if got[mode][i] != want[i] {
				t.Errorf("program %d of seed %d, mode %d: %s", p.Number(), *seed, mode, difference(got[mode][i], want[i]))
				list = append(list, p)
				break
			}
		}
	}
	return list
}

// report writes a program that does not end as it should, and a smaller one.
func report(t *testing.T, p *gen.Program) {
	t.Helper()
	dir := t.ArtifactDir()
	small := gen.Shrink(p, func(candidates []*gen.Program) []bool { return differing(t, candidates) })
	for name, q := range map[string]*gen.Program{"whole": p, "small": small} {
		text, err := format.Source([]byte(gen.Main(q)))
		require.NoError(t, err)
		path := filepath.Join(dir, fmt.Sprintf("seed%d-program%d-%s.go", *seed, p.Number(), name))
		require.NoError(t, os.WriteFile(path, text, 0o644))
		t.Log(path)
	}
	t.Logf("shrunk to:\n%s", small.Text())
}

// differing returns the programs that compile and do not end as they should.
func differing(t *testing.T, candidates []*gen.Program) []bool {
	t.Helper()
	var batches [][]*gen.Program
	var at []int
	for i, p := range candidates {
		if _, err := minigo.Compile(minigo.File{Name: "random.go", Text: []byte(gen.Main(p))}); err == nil {
			batches, at = append(batches, []*gen.Program{p}), append(at, i)
		}
	}
	found := make([]bool, len(candidates))
	oracle := startOracle(t, batches)
	for i, b := range batches {
		want := oracle.run(t, i, b)[0]
		for _, got := range interpretAll(t, b) {
			found[at[i]] = found[at[i]] || got[0] != want
		}
	}
	return found
}

// difference is the first line in which two endings differ.
func difference(got, want ending) string {
	a, b := strings.Split(got.out+"--"+got.end, "\n"), strings.Split(want.out+"--"+want.end, "\n")
	i := 0
	for i < min(len(a), len(b))-1 && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("\ngot  %q\nwant %q", a[i], b[i])
}

func interpret(t *testing.T, compiled *minigo.Program, programs []*gen.Program, cfg minigo.Config) []ending {
	t.Helper()
	return oneByOne(programs, func(args []string) (out, end string) {
		var stdout bytes.Buffer
		cfg.Access.Stdout, cfg.Args = &stdout, append([]string{"random"}, args...)
		host, err := minigo.New(compiled, cfg)
		require.NoError(t, err)
		if err := host.Run(long.Context(t)); err != nil {
			end = unaddressed(headline(err.Error()))
		}
		return stdout.String(), end
	})
}
