package main

import (
	"errors"
	"fmt"
	"os"
)

// traced runs the guest, with --trace under observation to its very end: what is left of
// it when its runtime is closed belongs to the run.
func (s *session) traced(guest func() error) error {
	if s.Trace == "" {
		return guest()
	}
	file, err := os.Create(s.Trace)
	if err != nil {
		return fmt.Errorf("cannot write the trace: %w", err)
	}
	s.traceTo = file
	ran := guest()
	var ended error
	if s.trace != nil { // it came to a run
		ended = s.trace.Close()
	}
	if err := errors.Join(ended, file.Close()); err != nil {
		fmt.Fprintf(s.io.err, "selvage: cannot write the trace: %v\n", err)
		if ran == nil {
			return status(statusUsage)
		}
	}
	return ran
}
