package minigo_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/gen"
	"github.com/selvage-dev/selvage/internal/long"
)

// oracle is random programs as Go compiles them, all in one executable.
type oracle struct {
	exe    string
	build  *exec.Cmd
	said   bytes.Buffer
	waited bool
}

// startOracle begins to build programs, each list of them as a package.
func startOracle(t *testing.T, batches [][]*gen.Program) *oracle {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	imports, calls := "", ""
	for i, b := range batches {
		write(fmt.Sprintf("b%d/b.go", i), gen.Source("prog", b...))
		imports += fmt.Sprintf("b%d \"oracle/b%d\"\n", i, i)
		calls += fmt.Sprintf("case \"%d\":\nb%d.Run(number)\n", i, i)
	}
	write("go.mod", "module oracle\n\ngo 1.26\n")
	write("main.go", "package main\n\nimport (\n\"fmt\"\n\"os\"\n\"strings\"\n"+imports+")\n\n"+
		gen.Loop("batch, number, _ := strings.Cut(number, \"/\")\nswitch batch {\n"+calls+"}"))
	o := &oracle{exe: filepath.Join(dir, "oracle")}
	o.build = exec.Command("go", "build", "-trimpath", "-gcflags=oracle/...=-N -l -dwarf=false", "-ldflags=-s -w", "-o", o.exe, ".")
	o.build.Dir = dir
	o.build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOGC=400", "GOARCH=") // int has 64 bits in minigo, wherever it runs
	o.build.Stdout, o.build.Stderr = &o.said, &o.said
	require.NoError(t, o.build.Start())
	return o
}

// run is how the programs of a batch end.
func (o *oracle) run(t *testing.T, batch int, programs []*gen.Program) []ending {
	t.Helper()
	if !o.waited {
		require.NoError(t, o.build.Wait(), &o.said)
		o.waited = true
	}
	return oneByOne(programs, func(args []string) (string, string) {
		for i, number := range args {
			args[i] = fmt.Sprintf("%d/%s", batch, number)
		}
		var stdout, stderr bytes.Buffer
		cmd := exec.CommandContext(long.Context(t), o.exe, args...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		return asMain(stdout.String()), endOf(asMain(stderr.String()), err)
	})
}

// oneByOne returns how programs end. One process runs programs until one of them does not end
// well.
func oneByOne(programs []*gen.Program, process func(args []string) (out, end string)) (endings []ending) {
	for len(endings) < len(programs) {
		var args []string
		for _, p := range programs[len(endings):] {
			args = append(args, fmt.Sprint(p.Number()))
		}
		out, end := process(args)
		out, end = plainNil(out), plainNil(end)
		parts := strings.Split(out, gen.Mark)
		for _, out := range parts[:len(parts)-1] {
			endings = append(endings, ending{out: out})
		}
		if len(parts) <= len(args) {
			endings = append(endings, ending{parts[len(parts)-1], end})
		}
	}
	return endings
}

// asMain is a text with the names that package main would have.
func asMain(text string) string {
	return regexp.MustCompile(`prog\.|oracle/b\d+\.`).ReplaceAllString(text, "main.")
}

// endOf is the end of a process as minigo would tell it.
func endOf(stderr string, err error) string {
	if stderr == "" && err != nil {
		return err.Error()
	}
	return unaddressed(headline(regexp.MustCompile(`(?m)^\[signal .*\n`).ReplaceAllString(stderr, "")))
}

// unaddressed is a message without addresses, and without the panics that have the value of
// the one before: whether two equal values are one is not for a program to say.
func unaddressed(text string) string {
	text = regexp.MustCompile(`\) 0x[0-9a-f]+`).ReplaceAllString(text, ") 0x")
	text = regexp.MustCompile(`(?m) \[recovered(, repanicked)?\]$`).ReplaceAllString(text, "")
	lines := strings.Split(text, "\n")
	return strings.Join(slices.CompactFunc(lines, func(a, b string) bool {
		return strings.TrimSpace(a) == strings.TrimSpace(b)
	}), "\n")
}

// plainNil is a text in which a method of a value that is called without one is a nil pointer
// like any other: Go says more only where it does not know the type in the interface.
func plainNil(text string) string {
	return regexp.MustCompile(`value method \S+ called using nil \S+ pointer`).ReplaceAllString(text, "runtime error: invalid memory address or nil pointer dereference")
}
