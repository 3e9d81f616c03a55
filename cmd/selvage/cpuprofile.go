package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/profile"
)

// profileFlags ask for a profile of the program.
type profileFlags struct {
	CPUProfile string `name:"cpuprofile" help:"Write to this file where a Lua or Go program spends its CPU time, by function and line, for go tool pprof. A Go program is interpreted meanwhile." placeholder:"FILE"`
}

func (f profileFlags) check(r *runCmd) error {
	switch language := r.language(); {
	case f.CPUProfile == "":
		return nil
	case r.Copies > 1:
		return errors.New("--cpuprofile: there is one profile for one program; leave --copies out")
	case r.Schedule != "":
		return errors.New("--cpuprofile: a run under a --schedule has none; profile a run without one")
	case language == ".wasm":
		return errors.New("--cpuprofile: a WebAssembly program has none here; leave it out, and profile the program as one of your machine, before it is compiled to WebAssembly")
	case language != ".go" && !lua.CanProfile():
		return errors.New("--cpuprofile: this build of selvage cannot profile Lua programs; build it without the tag purego")
	case language == ".go" && (r.JIT == "eager" || r.JITStats):
		return errors.New("--jit=eager, --jit-stats: with --cpuprofile nothing becomes machine code; leave them out")
	}
	return nil
}

// profiled runs the guest, with --cpuprofile under a profile, which it writes when the run has ended.
func (s *session) profiled(guest func() error) error {
	if s.CPUProfile == "" {
		return guest()
	}
	file, err := os.Create(s.CPUProfile)
	if err != nil {
		return fmt.Errorf("cannot write the profile: %w", err)
	}
	s.profile = profile.Start(profile.Config{Program: s.Program[0]})
	defer s.profile.Stop() // if a panic of this program passes
	ran := guest()
	s.profile.Stop()
	if err := errors.Join(s.profile.Write(file), file.Close()); err != nil {
		fmt.Fprintf(s.io.err, "selvage: cannot write the profile: %v\n", err)
		if ran == nil {
			return status(statusUsage)
		}
	}
	return ran
}
