package main

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	chacha "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	luafibers "github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/host/wasm"
	wasmfibers "github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

func (s *session) luaConfig() luafibers.Config {
	cfg := luafibers.Config{
		Runtime: s.runtime(), Access: s.access(), Quota: s.limits(), IOWorkers: s.IOWorkers, Lua: lua.Config{Profile: s.profile},
	}
	if s.timeline != nil {
		cfg.IslandHooks = s.drawIsland
	}
	return cfg
}

func (s *session) lua() error {
	cfg := s.luaConfig() // with the streams themselves: processes that the program starts inherit files
	s.io = s.io.shared() // the islands report their failures
	host := luafibers.New(cfg)
	defer host.Close()
	s.inspector.stack, s.islands, s.function, s.steps = host.Stack, host.Registry, host.Function, host.Steps
	base := host.State().Base()
	library := base.GetGlobal("fiber")
	base.SetField(library, "copy", glua.LNumber(s.number))
	base.SetField(library, "copies", glua.LNumber(s.Copies))
	return s.run(&host.Runtime().Scheduler().Core, func() (status, error) {
		_, err := host.RunFile(s.ctx, s.Program[0], s.Program[1:]...)
		var exit *luafibers.ExitError
		if errors.As(err, &exit) {
			return status(exit.Status), nil
		}
		return statusDone, err
	})
}

func (s *session) wasmConfig() wasmfibers.Config {
	cfg := wasmfibers.Config{Wasm: wasm.Config{Runtime: s.runtime()}, IOWorkers: s.IOWorkers, Quota: s.limits(), CountSteps: s.countsSteps()}
	cfg.Access = withRelativeNames(s.access())
	cfg.Access.Env = append(cfg.Access.Env, fmt.Sprintf("SELVAGE_COPY=%d", s.number), fmt.Sprintf("SELVAGE_COPIES=%d", s.Copies))
	return cfg
}

func (s *session) wasm() error {
	host, err := wasmfibers.New(s.wasmConfig())
	if err != nil {
		return err
	}
	defer host.Close()
	s.inspector.stack, s.function, s.steps = host.Stack, host.Function, host.Steps
	return s.run(&host.Runtime().Fibers().Scheduler().Core, func() (status, error) {
		exit, err := host.RunFile(s.ctx, s.Program[0], s.Program[1:]...)
		return status(exit), err
	})
}

// access is what the flags allow, with the streams. In virtual time a run must not differ from the last,
// so that it begins in 1970 and chance comes from the seed.
func (s *session) access() sandbox.Access {
	a := s.allowed
	a.Stdin, a.Stdout, a.Stderr = os.Stdin, s.io.out, s.io.err
	if a.Random = rand.Reader; !a.Unrestricted() {
		a.Start = time.Now()
	}
	if s.Virtual {
		a.Start, a.Random = time.Time{}, chacha.NewChaCha8(seed(s.Seed))
	}
	return a
}

// withRelativeNames adds relative names for the directories in the working directory, because C
// libraries compare names as they are.
func withRelativeNames(a sandbox.Access) sandbox.Access {
	for _, d := range slices.Clone(a.Dirs) {
		if a.WorkDir != "" && (d.Guest == a.WorkDir || below(d.Guest, a.WorkDir)) {
			d.Guest, _ = filepath.Rel(a.WorkDir, d.Guest) // it is below
			a.Dirs = append(a.Dirs, d)
		}
	}
	return a
}

func seed(n uint64) (s [32]byte) {
	binary.LittleEndian.PutUint64(s[:], n)
	return s
}

// printTraceback prints where the failure was: the guest's traceback, or the Go stack of
// a panic in a host function.
func printTraceback(io streams, err error) {
	var script *luafibers.GuestError
	var call *wasm.CallError
	var panicked *scheduler.PanicError
	switch {
	case printBacktrace(io.err, err):
	case errors.As(err, &script) && script.Traceback != "":
		fmt.Fprintln(io.err, script.Traceback)
	case errors.As(err, &call) && len(call.Trace) > 0:
		fmt.Fprintf(io.err, "stack traceback:\n\t%s\n", strings.Join(call.Trace, "\n\t"))
	case errors.As(err, &panicked):
		fmt.Fprintf(io.err, "%s\n", panicked.Stack)
	}
	if text := remedy(err); text != "" {
		fmt.Fprintf(io.err, "selvage: %s\n", text)
	}
}

// remedy names the flag for the quota, or for the field of a Config or an Access, that an error names.
func remedy(err error) string {
	if flag := quotaFlag(err); flag != "" {
		return "the flag for this quota is " + flag
	}
	switch text := err.Error(); {
	case strings.Contains(text, "Access.Dirs allows it"):
		return "the flags for Access.Dirs are --allow-read DIR and --allow-write DIR"
	case strings.Contains(text, "Access.Dial allows it"), strings.Contains(text, "Access.Listen allows it"):
		return "the flag for Access.Dial and Access.Listen is --allow-net HOST:PORT"
	case strings.Contains(text, "Access.Programs allows it"):
		return "the flag for Access.Programs is --allow-run PROGRAM"
	case strings.Contains(text, "(Config.Runtime.MaxFibers)"):
		return "the flag for Config.Runtime.MaxFibers is --max-fibers N"
	case strings.Contains(text, "(Config.Runtime.Clock)"):
		return "run the program without --virtual"
	}
	return ""
}
