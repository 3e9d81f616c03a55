package minigo_test

import (
	"context"
	"errors"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
)

// Whatever is called a program is compiled or refused, and if it is compiled, it ends or is
// stopped; the compiler itself is never at a loss.
func FuzzAnySourceIsCompiledOrRefused(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*/main.go")
	require.NoError(f, err)
	for _, seed := range seeds {
		text, err := os.ReadFile(seed)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte("package main\nfunc main() { var x [1 << 40]int; _ = x }"))
	f.Fuzz(func(t *testing.T, source []byte) {
		program, err := minigo.Compile(minigo.File{Name: "x.go", Text: source})
		var defect *minigo.DefectError
		if errors.As(err, &defect) {
			t.Fatalf("%v\n%s", defect, defect.Stack)
		}
		if err != nil {
			return
		}
		cfg := minigo.Config{MaxDepth: 1000, MaxStack: 1 << 16}
		cfg.Scheduler.MaxFibers, cfg.Scheduler.MaxTimers, cfg.Scheduler.Budget = 100, 100, 1000
		host, err := minigo.New(program, cfg)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // most that are still running then never end
		defer cancel()
		_ = host.Run(ctx) // however it ends: the host is there to see it
	})
}

// mutants is how many of each program are compiled.
const mutants = 40

// Programs in which a word stands in the place of another get further into the compiler than
// noise does: many still have the right types.
func TestMutilatedProgramsAreCompiledOrRefused(t *testing.T) {
	programs, err := filepath.Glob("testdata/*/main.go")
	require.NoError(t, err)
	compiled, refused := 0, 0
	for n, path := range programs {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		words := tokens(source)
		rnd := rand.New(rand.NewPCG(9, uint64(n)))
		for range mutants {
			to, from := words[rnd.IntN(len(words))], words[rnd.IntN(len(words))]
			text := string(source[:to.at]) + from.text + string(source[to.at+len(to.text):])
			_, err := minigo.Compile(minigo.File{Name: path, Text: []byte(text)})
			var defect *minigo.DefectError
			switch {
			case errors.As(err, &defect):
				t.Errorf("%s: %q for %q at %d: %v\n%s", path, from.text, to.text, to.at, defect, defect.Stack)
			case err != nil:
				refused++
			default:
				compiled++
			}
		}
	}
	require.Positive(t, compiled)
	require.Positive(t, refused)
}

type word struct {
	at   int
	text string
}

// tokens are the words and signs of a source, without what the scanner adds.
func tokens(source []byte) (words []word) {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return words
		}
		if text == "" {
			text = tok.String()
		}
		if at := file.Offset(pos); strings.HasPrefix(string(source[at:]), text) && text != "\n" {
			words = append(words, word{at, text})
		}
	}
}

// The nesting of a source is bounded before anything recurses over it.
func TestASourceNestedTooDeeplyIsRefusedWithItsPlace(t *testing.T) {
	for name, source := range map[string]string{
		"sums":        "x" + strings.Repeat("+x", 1_000_000),
		"parentheses": strings.Repeat("(", 1_000_000) + "x" + strings.Repeat(")", 1_000_000),
		"calls":       strings.Repeat("f(", 1_000_000) + "x" + strings.Repeat(")", 1_000_000),
	} {
		t.Run(name, func(t *testing.T) {
			text := "package main\n\nfunc f(x int) int { return x }\n\nfunc main() {\n\tx := 1\n\tprintln(" + source + ")\n}\n"
			_, err := minigo.Compile(minigo.File{Name: "x.go", Text: []byte(text)})
			var refused *minigo.SyntaxError
			require.ErrorAs(t, err, &refused)
			require.ErrorContains(t, err, "x.go:7:")
			require.ErrorContains(t, err, "max nesting depth")
		})
	}
}
