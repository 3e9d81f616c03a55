package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/scheduler"
)

// exploringRows compare a schedule of a repaired program of the gallery with one run of it by go test
// -race, whose runs share a process.
func exploringRows() []row {
	var rows []row
	for _, name := range []string{"moby4951", "kubernetes6632", "consul6852"} {
		k := &gallery{name: name, source: sync.OnceValue(func() []byte { return gallerySource(name) })}
		theirs, failed := k.raced()
		rows = append(rows, row{id: "E01", work: "a schedule of " + name, peer: "go test -race, a run", n: 3000, most: 7,
			ours: k.explored, theirs: theirs, failed: failed})
	}
	return rows
}

// gallery is a program of examples/explore.
type gallery struct {
	name   string
	source func() []byte
}

func gallerySource(name string) []byte {
	root := mustGet(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/selvage-dev/selvage").Output())
	return mustGet(os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "examples", "explore", name+"_fixed.go")))
}

// explored runs n random schedules.
func (k *gallery) explored(n int) time.Duration {
	program := mustGet(minigo.CompileExplored(minigo.File{Name: k.name + "_test.go", Text: k.source()}))
	guest := explore.Guest(explore.Bounds{}, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		c := minigo.Config{Scheduler: cfg, JIT: minigo.JITOff}
		c.Access.Stdout, c.Access.Stderr = output, output
		return mustGet(minigo.New(program, c)).Run(ctx)
	})
	start := time.Now()
	r := mustGet(explore.Search(context.Background(), guest, explore.Options{Strategy: explore.Random(1), Runs: n}))
	took := time.Since(start)
	if r.Finding != nil || r.Runs != n {
		panic(fmt.Sprintf("%s: %d of %d schedules, %v", k.name, r.Runs, n, r.Finding))
	}
	return took
}

// raced runs the test n times. It is compiled once; a machine without a C compiler has no race detector.
func (k *gallery) raced() (run func(n int) time.Duration, failed func() error) {
	var failure error
	binary := sync.OnceValues(func() (string, error) {
		folder := filepath.Join(scratch(), k.name)
		text := bytes.Replace(k.source(), []byte("//go:build ignore\n"), nil, 1)
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "x_test.go"), text, 0o644),
			os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module kernel\n\ngo 1.26\n"), 0o644)); err != nil {
			return "", err
		}
		build := exec.Command("go", "test", "-race", "-c", "-o", "kernel.test", ".")
		build.Dir, build.Env = folder, append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=")
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go test -race -c: %w: %s", err, out)
		}
		return filepath.Join(folder, "kernel.test"), nil
	})
	return func(n int) time.Duration {
		var path string
		if path, failure = binary(); failure != nil {
			return 1
		}
		start := time.Now()
		if out, err := exec.Command(path, "-test.count", strconv.Itoa(n)).CombinedOutput(); err != nil {
			failure = fmt.Errorf("%s: %w: %s", k.name, err, out)
		}
		return time.Since(start)
	}, func() error { return failure }
}
