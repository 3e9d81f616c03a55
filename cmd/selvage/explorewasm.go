package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/host/wasm"
	wasmfibers "github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/scheduler"
)

// errUnwatched refuses the flags that a WebAssembly program has no use for.
var errUnwatched = errors.New("--races, --points=access: the fibers of a WebAssembly program share no memory, each has an instance of its own, so that no two accesses race; explore it without these flags")

func exploreWasm(path string, source []byte, args []string, bounds explore.Bounds) (guest explored, err error) {
	program, err := wasmfibers.Compile(path, source, wasm.Config{})
	if err != nil {
		return guest, err
	}
	guest.close = program.Close
	guest.run = explore.Guest(bounds, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		var unread error // the first failure of a fiber that no other joins
		report := cfg.Unobserved
		cfg.Unobserved = func(err *scheduler.UnobservedError) {
			unread = cmp.Or(unread, error(err))
			report(err)
		}
		c := wasmfibers.Config{Program: program} // without an environment, which differs between machines
		c.Access.Stdout, c.Access.Stderr = output, output
		c.Wasm.Runtime.Config = cfg
		host, err := wasmfibers.New(c)
		if err != nil {
			return err
		}
		defer host.Close()
		explore.Show(ctx, &host.Runtime().Fibers().Scheduler().Core)
		status, err := host.RunProgram(ctx, args...)
		if err == nil && status != 0 {
			return fmt.Errorf("%s: exit status %d", path, status)
		}
		return withTrace(cmp.Or(err, unread))
	})
	return guest, nil
}

// withTrace adds the active functions to the failure of a call, because a module has no lines.
func withTrace(err error) error {
	if call, failed := errors.AsType[*wasm.CallError](err); failed && len(call.Trace) > 0 {
		return &tracedError{err, call.Trace}
	}
	return err
}

type tracedError struct {
	error
	trace []string
}

func (e *tracedError) Error() string {
	return e.error.Error() + "\nstack traceback:\n\t" + strings.Join(e.trace, "\n\t")
}

func (e *tracedError) Unwrap() error { return e.error }
