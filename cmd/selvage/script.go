package main

import (
	"context"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/internal/script/actorscript"
	"github.com/selvage-dev/selvage/internal/script/schedscript"
)

type scriptCmd struct {
	Files   []string `arg:"" name:"FILES" help:"The scripts."`
	Actors  bool     `help:"The scripts are for a system of actors."`
	Rewrite bool     `help:"Write what really comes into the files instead of comparing."`
}

// run runs a script in the language that was asked for.
func (s *scriptCmd) run(path, text string) *script.Result {
	if s.Actors {
		return actorscript.Run(path, text, nil)
	}
	return schedscript.Run(path, text)
}

// Run compares every script, shows what differs, and fails if anything did.
func (s *scriptCmd) Run(ctx context.Context, io streams) error {
	failed := 0
	for _, path := range s.Files {
		if ctx.Err() != nil {
			fmt.Fprintln(io.err, "selvage: interrupted")
			return status(statusInterrupted)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("cannot read the script: %w", err)
		}
		if s.Rewrite {
			output := script.Rewrite(string(text), func(text string) *script.Result { return s.run(path, text) })
			if err := os.WriteFile(path, []byte(output), 0o644); err != nil {
				return fmt.Errorf("cannot rewrite the script: %w", err)
			}
			continue
		}
		if r := s.run(path, string(text)); !r.OK() {
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
