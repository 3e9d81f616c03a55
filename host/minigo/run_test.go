package minigo_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/long"
)

var rewrite = flag.Bool("rewrite", false, "write what the programs in testdata print into their .out files")

// ways are how every program must do the same: interpreted and as machine code, with a usual
// and with a short slice.
func ways() []minigo.Config {
	ways := []minigo.Config{{JIT: minigo.JITOff}, {JIT: minigo.JITOff}, {JIT: minigo.JITEager}, {JIT: minigo.JITEager}}
	if minigo.JITWorks() != nil { // everything is interpreted
		ways = ways[:2]
	}
	for i := range ways {
		ways[i].Scheduler.Budget = 7 * (i % 2)
	}
	return ways
}

// run runs a program in virtual time and returns all that it prints, and how it ended.
func run(t *testing.T, name string, source []byte, cfg minigo.Config) (out string, err error) {
	t.Helper()
	program, err := minigo.Compile(minigo.File{Name: name, Text: source})
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	cfg.Access.Stdout, cfg.Access.Stderr, cfg.Args = &text, &text, []string{name}
	host, err := minigo.New(program, cfg)
	require.NoError(t, err)
	err = host.Run(long.Context(t))
	return text.String(), err
}

func TestProgramsPrintWhatTheyPrintedBefore(t *testing.T) {
	programs, err := filepath.Glob("testdata/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, path := range programs {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			golden := strings.TrimSuffix(path, ".go") + ".out"
			for i, way := range ways() {
				out, err := run(t, filepath.Base(path), source, way)
				if err != nil {
					out += "--\n" + err.Error()
				}
				if *rewrite && i == 0 {
					require.NoError(t, os.WriteFile(golden, []byte(out), 0o644))
				}
				want, err := os.ReadFile(golden)
				require.NoError(t, err)
				require.Equal(t, string(want), out, "%+v", way)
			}
		})
	}
}
