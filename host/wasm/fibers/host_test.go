//go:build !race

// The race detector would make compiling these programs take minutes, and has only one
// goroutine at a time to look at.

package fibers_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
)

// programs are those in testdata, by name: built once, with the Go that runs the tests.
var programs = sync.OnceValues(func() (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "selvage-wasm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	built := map[string][]byte{}
	for name, mode := range map[string]string{"command": "exe", "tree": "exe", "pipeline": "c-shared"} {
		out := filepath.Join(dir, name)
		cmd := exec.Command("go", "build", "-buildmode="+mode, "-o", out, filepath.Join("testdata", name, "main.go"))
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, text)
		}
		if built[name], err = os.ReadFile(out); err != nil {
			return nil, err
		}
	}
	return built, nil
})

func program(t *testing.T, name string) []byte {
	t.Helper()
	built, err := programs()
	require.NoError(t, err)
	return built[name]
}

func TestAProgramSeesItsArgumentsVariablesInputAndFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f.txt"), []byte("content"), 0o644))
	cfg := fibers.Config{Access: sandbox.Access{
		Stdin: strings.NewReader("one\ntwo\n"),
		Env:   []string{"COLOUR=green", "EMPTY=", "no variable"},
		Dirs:  []sandbox.Dir{{Host: dir, Guest: "/data", ReadOnly: true}, {FS: os.DirFS(dir), Guest: "/other"}},
	}}
	command := program(t, "command")
	for _, c := range []struct {
		args      []string
		out, errs string
	}{
		{[]string{"args", "a b", ""}, "p.wasm|args|a b|\n", ""},
		{[]string{"env", "COLOUR"}, "green\n", ""},
		{[]string{"upper"}, "ONE\nTWO\n", "end of input\n"},
		{[]string{"cat", "/data/f.txt"}, "content <nil>\n", ""},
		{[]string{"cat", "/other/f.txt"}, "content <nil>\n", ""},
		{[]string{"cat", "/data/../etc/passwd"}, " open /data/../etc/passwd: Bad file number\n", ""},
	} {
		e := play(t, cfg, command, c.args...)
		e.well(t)
		require.Equal(t, c.out, e.out)
		require.Equal(t, c.errs, e.errs)
	}
}

func TestTheStatusIsTheProgramsOwn(t *testing.T) {
	command := program(t, "command")
	for arg, want := range map[string]uint32{"0": 0, "1": 1, "7": 7, "255": 255} {
		e := play(t, fibers.Config{}, command, "exit", arg)
		require.NoError(t, e.err)
		require.Equal(t, want, e.status)
	}
	e := play(t, fibers.Config{}, command, "panic")
	require.NoError(t, e.err)
	require.EqualValues(t, 2, e.status)
	require.Contains(t, e.errs, "panic: guest panic")
}

func TestTimeIsTheSchedulers(t *testing.T) {
	cfg := fibers.Config{Access: sandbox.Access{Start: time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)}}
	e := play(t, cfg, program(t, "command"), "time")
	e.well(t)
	require.Equal(t, "2001-02-03T04:05:06Z\n1h30m0s\n2001-02-03T05:35:06Z\n", e.out)
}

// The programs of a Go runtime with goroutines, and of four such runtimes that talk to
// each other.
func TestRealProgramsGiveTheSameInSlicesOfAnyLength(t *testing.T) {
	for _, slice := range []int{1, 7, 1000, math.MaxInt} {
		var cfg fibers.Config
		cfg.Wasm.Runtime.Budget = slice
		e := play(t, cfg, program(t, "command"), "goroutines")
		e.well(t)
		require.Equal(t, "sum 30\n", e.out)
		require.Equal(t, int64(5*time.Second), e.now)
		e = play(t, cfg, program(t, "pipeline"))
		e.well(t)
		require.Equal(t, "join 0\njoin 0\njoin 0\n9 jobs, sum of squares 285 after 3 seconds\n", e.out)
	}
}

func TestAProgramThatDoesNotEndIsEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h, err := fibers.New(fibers.Config{Wasm: wasm.Config{Cache: cache}, Access: sandbox.Access{Stdout: cancelling(cancel)}})
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Run(ctx, "p.wasm", program(t, "command"), "spin")
	require.ErrorIs(t, err, context.Canceled)
}

// cancelling calls itself at every write.
type cancelling func()

func (c cancelling) Write(p []byte) (int, error) {
	c()
	return len(p), nil
}

func TestAFileThatIsNoProgramIsRefused(t *testing.T) {
	h, err := fibers.New(fibers.Config{})
	require.NoError(t, err)
	defer h.Close()
	_, err = h.RunFile(t.Context(), "missing.wasm")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = h.RunFile(t.Context(), filepath.Join("testdata", "command", "main.go"))
	require.ErrorAs(t, err, new(*wasm.ModuleError))
}

// The Go runtime takes the working directory from PWD.
func TestRelativeNamesStartFromTheWorkDir(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f.txt"), []byte("content"), 0o644))
	access := sandbox.Access{Env: []string{"PWD=/elsewhere"}, WorkDir: dir, Dirs: []sandbox.Dir{{Host: dir}}}
	for _, name := range []string{"f.txt", filepath.Join(dir, "f.txt")} {
		e := play(t, fibers.Config{Access: access}, program(t, "command"), "cat", name)
		e.well(t)
		require.Equal(t, "content <nil>\n", e.out)
	}
}
