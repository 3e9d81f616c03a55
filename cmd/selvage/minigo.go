package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/host/minigo"
)

// statusPanic is that of a Go program which ends by a panic, or a fatal error.
const statusPanic = 2

func (s *session) minigo() error {
	source, err := os.ReadFile(s.Program[0])
	if err != nil {
		return s.explain(err)
	}
	library := minigo.Library{Inspected: s.InspectValues}
	program, err := library.Compile(minigo.File{Name: s.Program[0], Text: source})
	if err != nil {
		fmt.Fprintln(s.io.err, err)
		return status(statusGuest)
	}
	cfg := minigo.Config{Scheduler: s.runtime().Config, Access: s.access(), Args: s.Program, Quota: s.limits(), JIT: s.jitMode(), Profile: s.profile, CountSteps: s.countsSteps()}
	host, err := minigo.New(program, cfg)
	if err != nil {
		return err
	}
	s.inspector.stack, s.function, s.steps = host.Stack, host.Function, host.Steps
	return s.run(host.Scheduler(), func() (status, error) {
		err := host.Run(s.ctx)
		if s.JITStats {
			s.tell(func(io streams) { fmt.Fprint(io.err, host.JITStats()) })
		}
		return goStatus(err)
	})
}

// jitMode is what --jit says.
func (s *session) jitMode() minigo.JITMode {
	switch s.JIT {
	case "off":
		return minigo.JITOff
	case "eager":
		return minigo.JITEager
	}
	return minigo.JITOn
}

// goStatus is the status of a Go program that has called os.Exit.
func goStatus(err error) (status, error) {
	var exit *minigo.ExitError
	if errors.As(err, &exit) {
		return status(exit.Status), nil
	}
	return statusDone, err
}

// endsGo tells whether a Go program has ended itself. The error is then what the Go runtime prints.
func endsGo(err error) bool {
	var panicked *minigo.PanicError
	var fatal *minigo.FatalError
	var deadlock *minigo.DeadlockError
	return errors.As(err, &panicked) || errors.As(err, &fatal) || errors.As(err, &deadlock)
}
