package lua

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	// What the command is made of: go test runs these tests again when it changes.
	_ "github.com/alecthomas/kong"
	_ "github.com/selvage-dev/selvage/host/lua/fibers"
	_ "github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/long"
	_ "github.com/selvage-dev/selvage/internal/script/schedscript"
	_ "github.com/selvage-dev/selvage/reactor"
	_ "github.com/selvage-dev/selvage/spec/replay"
	_ "github.com/selvage-dev/selvage/trace"
)

var (
	rewrite = flag.Bool("rewrite", false, "write what the programs print into the .out and .err files")
	selvage string // the command, built once
)

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "selvage-examples-")
	if err == nil {
		selvage = filepath.Join(dir, "selvage")
		err = build()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// build compiles the command. Looking at its sources makes go test note that the
// results depend on them.
func build() error {
	sources, err := filepath.Glob("../../cmd/selvage/*.go")
	if err != nil {
		return err
	}
	for _, path := range sources {
		if _, err := os.ReadFile(path); err != nil {
			return err
		}
	}
	out, err := exec.Command("go", "build", "-o", selvage, "../../cmd/selvage").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build ../../cmd/selvage: %w\n%s", err, out)
	}
	return nil
}

// ending is how a run of a program ended, and all it wrote.
type ending struct {
	stdout, stderr string
	status         int
}

// execute runs a command in a folder.
func execute(t *testing.T, dir, name string, args ...string) ending {
	t.Helper()
	ctx := long.Context(t)
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (ctx.Err() != nil || !errors.As(err, &exit)) {
		t.Fatalf("%s %v: %v\n%s%s", name, args, err, &stdout, &stderr)
	}
	return ending{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}
