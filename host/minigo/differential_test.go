package minigo_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

// TestGoSaysTheSame compiles the programs in testdata with Go, all into one executable, and
// compares what they print, and the first words of their end, with the .out files.
func TestGoSaysTheSame(t *testing.T) {
	if !long.On(t) {
		return
	}
	programs, err := filepath.Glob("testdata/*/main.go")
	require.NoError(t, err)
	if runtime.GOARCH != "amd64" { // whose conversions minigo has everywhere
		programs = slices.DeleteFunc(programs, func(path string) bool { return strings.Contains(path, "conversions") })
	}
	exe := buildTogether(t, programs)
	for i, path := range programs {
		want, err := os.ReadFile(strings.TrimSuffix(path, ".go") + ".out")
		require.NoError(t, err)
		prints, end, _ := strings.Cut(string(want), "--\n")
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(exe, fmt.Sprint(i))
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err = cmd.Run()
		pkg := fmt.Sprintf("p%d.", i)
		main := strings.NewReplacer("together/"+pkg, "main.", pkg, "main.")
		require.Equal(t, main.Replace(stdout.String()), prints, path)
		require.Equal(t, err != nil, end != "", "%s: %s", path, stderr.String())
		require.Equal(t, headline(main.Replace(stderr.String())), headline(end), path)
	}
}

// headline is what a message says before the tracebacks.
func headline(message string) string {
	head, _, _ := strings.Cut(message, "\n\ngoroutine ")
	return strings.TrimSpace(head)
}

// buildTogether builds programs as packages of one executable, which runs the one whose
// number is its argument.
func buildTogether(t *testing.T, programs []string) (exe string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	imports, calls := "", ""
	for i, path := range programs {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		text := strings.Replace(string(source), "package main\n", fmt.Sprintf("package p%d\n", i), 1)
		text = strings.Replace(text, "\nfunc main() {", "\nfunc Main() {", 1)
		write(fmt.Sprintf("p%d/p.go", i), text)
		imports += fmt.Sprintf("import \"together/p%d\"\n", i)
		calls += fmt.Sprintf("case \"%d\": p%d.Main()\n", i, i)
	}
	write("go.mod", "module together\n\ngo 1.26\n")
	write("main.go", "package main\nimport \"os\"\n"+imports+"func main() {\nswitch os.Args[1] {\n"+calls+"}\n}\n")
	exe = filepath.Join(dir, "together")
	build := exec.Command("go", "build", "-o", exe, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOARCH=")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return exe
}
