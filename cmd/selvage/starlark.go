package main

import (
	"errors"
	"fmt"
	"io"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/host/starlark"
)

// starlarkFile is the extension of Starlark programs.
const starlarkFile = ".star"

// checkStarlark refuses the flags that Starlark programs have no use for.
func (r *runCmd) checkStarlark() error {
	f := &r.accessFlags
	switch {
	case r.language() != starlarkFile:
		return nil
	case r.CPUProfile != "":
		return errors.New("--cpuprofile: a Starlark program has none here; leave it out")
	case r.Schedule != "":
		return errors.New("--schedule: Starlark programs cannot be explored; leave it out")
	case len(f.AllowNet)+len(f.AllowRun)+len(f.AllowEnv) > 0:
		return errors.New("--allow-net, --allow-run, --allow-env: Starlark programs have no sockets, run no programs and read no environment; leave them out")
	case len(f.AllowWrite) > 0:
		return errors.New("--allow-write: Starlark programs write no files; give --allow-read DIR for what they load")
	}
	return nil
}

func (s *session) starlarkConfig() starlark.Config {
	return starlark.Config{
		Runtime: s.runtime(), Access: s.access(), Quota: s.limits(), IOWorkers: s.IOWorkers,
		Predeclared: gostar.StringDict{"copy": gostar.MakeInt(s.number), "copies": gostar.MakeInt(s.Copies)},
	}
}

func (s *session) starlark() error {
	host, err := starlark.New(s.starlarkConfig())
	if err != nil {
		return err
	}
	defer host.Close()
	s.inspector.stack = host.Stack
	return s.run(&host.Runtime().Scheduler().Core, func() (status, error) {
		_, err := host.RunFile(s.ctx, s.Program[0], s.Program[1:]...)
		return statusDone, err
	})
}

// printBacktrace prints the calls of a Starlark program that led to an error, if it is one of those.
func printBacktrace(to io.Writer, err error) bool {
	script, ok := errors.AsType[*starlark.GuestError](err)
	if ok && script.Traceback != "" {
		fmt.Fprintln(to, script.Traceback)
	}
	return ok
}
