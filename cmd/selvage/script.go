package main

import (
	"fmt"
	"os"

	actors "github.com/selvage-dev/selvage/actor/script"
	"github.com/selvage-dev/selvage/scheduler/script"
)

type scriptCmd struct {
	Files   []string `arg:"" name:"FILES" help:"The scripts."`
	Actors  bool     `help:"The scripts are for a system of actors."`
	Rewrite bool     `help:"Write what really comes into the files instead of comparing."`
}

// rewrite is the script with what really comes.
func (s *scriptCmd) rewrite(path, text string) string {
	if s.Actors {
		return actors.Rewrite(path, text, nil)
	}
	return script.Rewrite(path, text)
}

// differs runs the script, and tells what comes otherwise than it says; "" is nothing.
func (s *scriptCmd) differs(path, text string) string {
	run := script.Run
	if s.Actors {
		run = func(path, text string) *actors.Result { return actors.Run(path, text, nil) }
	}
	r := run(path, text)
	if r.OK() {
		return ""
	}
	return r.Diff()
}

// Run compares every script, shows what differs, and fails if anything did.
func (s *scriptCmd) Run(io streams) error {
	failed := 0
	for _, path := range s.Files {
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("cannot read the script: %w", err)
		}
		if s.Rewrite {
			if err := os.WriteFile(path, []byte(s.rewrite(path, string(text))), 0o644); err != nil {
				return fmt.Errorf("cannot rewrite the script: %w", err)
			}
			continue
		}
		if diff := s.differs(path, string(text)); diff != "" {
			failed++
			fmt.Fprint(io.out, diff)
		}
	}
	if failed > 0 {
		fmt.Fprintf(io.err, "selvage: %d of %d scripts differ\n", failed, len(s.Files))
		return status(statusGuest)
	}
	return nil
}
