package minigo_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// written is a stack as text: a line for each call.
func written(calls []frame.Frame) string {
	var b strings.Builder
	for _, f := range calls {
		b.WriteString(f.Function)
		if f.File != "" {
			fmt.Fprintf(&b, " %s:%d", f.File, f.Line)
		}
		for _, v := range f.Locals {
			fmt.Fprintf(&b, " %s=%s", v.Name, v.Value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// shown runs a program that calls probe.Show, which prints the stacks of all other goroutines or, with true, of its own.
func shown(t *testing.T, text string, cfg minigo.Config) string {
	t.Helper()
	var out bytes.Buffer
	var host *minigo.Host
	library := minigo.Library{Inspected: true}
	show := func(own bool) {
		s := host.Scheduler()
		for _, f := range s.Inspect().Snapshot(scheduler.Snapshot{}).Fibers {
			if id, ok := f.ID.Regular(); ok && own == (f.ID == s.Current()) {
				calls := host.Stack(id, true)
				require.Equal(t, functionIn(calls), host.Function(id))
				out.WriteString(written(calls))
			}
		}
	}
	require.NoError(t, library.Bind("host/probe.Show", bind.Must(bind.New(show))))
	program, err := library.Compile(minigo.File{Name: "p.go", Text: []byte(text)})
	require.NoError(t, err)
	cfg.Access = sandbox.Access{Stdout: &out, Stderr: &out}
	host, err = minigo.New(program, cfg)
	require.NoError(t, err)
	err = host.Run(context.Background())
	if err != nil {
		out.WriteString(err.Error())
	}
	return out.String()
}

func TestTheStackOfAGoroutineHasItsCallsInEachState(t *testing.T) {
	for _, c := range stackCases {
		t.Run(c.name, func(t *testing.T) {
			for _, mode := range []minigo.JITMode{minigo.JITOff, minigo.JITOn, eager()} {
				cfg := minigo.Config{JIT: mode}
				cfg.Scheduler.Budget = c.budget
				require.Equal(t, c.want[1:], shown(t, "package main\n"+c.program, cfg))
			}
		})
	}
}

func TestTheStackOfNoGoroutineIsNil(t *testing.T) {
	program, err := minigo.Compile(minigo.File{Name: "p.go", Text: []byte("package main\nfunc main() {}")})
	require.NoError(t, err)
	host, err := minigo.New(program, minigo.Config{})
	require.NoError(t, err)
	require.Nil(t, host.Stack(fiber.RegularID(0), true))
	require.Empty(t, host.Function(fiber.RegularID(0)))
}

// eager is the mode that makes machine code of everything, where that works.
func eager() minigo.JITMode {
	if minigo.JITWorks() == nil {
		return minigo.JITEager
	}
	return minigo.JITOff
}
