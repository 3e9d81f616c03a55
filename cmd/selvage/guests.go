package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	chacha "math/rand/v2"
	"os"
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
	return luafibers.Config{
		Runtime:   s.runtime(),
		Lua:       lua.Config{Stdout: s.io.out, Stderr: s.io.err},
		IOWorkers: s.IOWorkers,
	}
}

func (s *session) lua() error {
	s.io = s.io.shared() // the islands report their failures
	host := luafibers.New(s.luaConfig())
	defer host.Close()
	base := host.State().Base()
	library := base.GetGlobal("fiber")
	base.SetField(library, "copy", glua.LNumber(s.number))
	base.SetField(library, "copies", glua.LNumber(s.Copies))
	return s.run(&host.Runtime().Scheduler().Core, func() (status, error) {
		_, err := host.RunFile(s.ctx, s.Program[0], s.Program[1:]...)
		return statusDone, err
	})
}

func (s *session) wasmConfig() (cfg wasmfibers.Config, err error) {
	cfg = wasmfibers.Config{Wasm: wasm.Config{Runtime: s.runtime()}, IOWorkers: s.IOWorkers}
	cfg.Access, err = s.withDirs(s.access())
	cfg.Access.Env = append(cfg.Access.Env, fmt.Sprintf("SELVAGE_COPY=%d", s.number), fmt.Sprintf("SELVAGE_COPIES=%d", s.Copies))
	return cfg, err
}

func (s *session) wasm() error {
	cfg, err := s.wasmConfig()
	if err != nil {
		return err
	}
	host, err := wasmfibers.New(cfg)
	if err != nil {
		return err
	}
	defer host.Close()
	return s.run(&host.Runtime().Fibers().Scheduler().Core, func() (status, error) {
		exit, err := host.RunFile(s.ctx, s.Program[0], s.Program[1:]...)
		return status(exit), err
	})
}

// withDirs adds the directories of --dir.
func (s *session) withDirs(a sandbox.Access) (sandbox.Access, error) {
	for _, dir := range s.Dir {
		host, guest, _ := strings.Cut(dir, ":")
		if info, err := os.Stat(host); err != nil || !info.IsDir() {
			return a, fmt.Errorf("--dir %s: %s is no directory", dir, host)
		}
		a.Dirs = append(a.Dirs, sandbox.Dir{Host: host, Guest: guest})
	}
	return a, nil
}

// access is the process's own. In virtual time a run must not differ from the last, so
// that it begins in 1970 and chance comes from the seed.
func (s *session) access() sandbox.Access {
	a := sandbox.Process()
	a.Stdout, a.Stderr = s.io.out, s.io.err
	if s.Virtual {
		a.Start, a.Random = time.Time{}, chacha.NewChaCha8(seed(s.Seed))
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
	case errors.As(err, &script) && script.Traceback != "":
		fmt.Fprintln(io.err, script.Traceback)
	case errors.As(err, &call) && len(call.Trace) > 0:
		fmt.Fprintf(io.err, "stack traceback:\n\t%s\n", strings.Join(call.Trace, "\n\t"))
	case errors.As(err, &panicked):
		fmt.Fprintf(io.err, "%s\n", panicked.Stack)
	}
	if flag := remedy(err); flag != "" {
		fmt.Fprintf(io.err, "selvage: %s\n", flag)
	}
}

// remedy names the flag for the field of a Config that an error names.
func remedy(err error) string {
	switch text := err.Error(); {
	case strings.Contains(text, "(Config.Runtime.MaxFibers)"):
		return "the flag for Config.Runtime.MaxFibers is --max-fibers N"
	case strings.Contains(text, "(Config.Runtime.Clock)"):
		return "run the program without --virtual"
	}
	return ""
}
