package browsertest

import (
	"bufio"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// screenshots has the tests write the pictures of the documentation.
var screenshots = flag.Bool("screenshots", false, "write the pictures of docs/images")

// selvage is the command, which TestMain builds.
var selvage string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "selvage-browsertest-")
	if err != nil {
		panic(err)
	}
	selvage = filepath.Join(dir, "selvage")
	build := exec.Command("go", "build", "-o", selvage, "./cmd/selvage")
	build.Dir = filepath.Join("..", "..")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	code := 2
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// program is a run of selvage with an inspector.
type program struct {
	url string
	cmd *exec.Cmd
}

// start runs a program, and returns when the inspector and, if text is not empty, a line of its stdout are there.
func start(t *testing.T, name, source, text string, flags ...string) *program {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(source), 0o644))
	args := append([]string{"run", "--inspect", "127.0.0.1:0", "--inspect-hold"}, flags...)
	cmd := exec.Command(selvage, append(args, name)...)
	cmd.Dir = dir
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	p := &program{cmd: cmd}
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	_, p.url, _ = strings.Cut(strings.TrimSpace(line), " at ")
	if text != "" {
		out, err := bufio.NewReader(stdout).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, text+"\n", out)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	return p
}
