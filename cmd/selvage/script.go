package main

import (
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/scheduler/script"
)

type scriptCmd struct {
	Files   []string `arg:"" name:"FILES" help:"The scripts."`
	Rewrite bool     `help:"Write what the scheduler answers into the files instead of comparing."`
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
			if err := os.WriteFile(path, []byte(script.Rewrite(path, string(text))), 0o644); err != nil {
				return fmt.Errorf("cannot rewrite the script: %w", err)
			}
			continue
		}
		if r := script.Run(path, string(text)); !r.OK() {
			failed++
			fmt.Fprint(io.out, r.Diff())
		}
	}
	if failed > 0 {
		fmt.Fprintf(io.err, "selvage: %d of %d scripts differ\n", failed, len(s.Files))
		return status(statusGuest)
	}
	return nil
}
