package starlark

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	gostar "go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/internal/control"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Host runs programs. One goroutine owns it and makes all calls, except those that say otherwise.
type Host struct {
	cfg     Config
	options *syntax.FileOptions
	rt      *stackful.Runtime
	group   *scheduler.Group // of all fibers
	io      *ioAccess
	names   gostar.StringDict // predeclared
	args    gostar.Tuple      // of the program, as fiber.args
	modules map[string]*module
	main    *module // whose globals Call uses; nil before the first Run
	codec   bind.Codec
	kinds   kinds
	made    int        // channels, locks and scopes, for their names
	largest int64      // the most bytes that an operation has made
	stuck   bool       // the last run deadlocked
	began   fiber.Time // when the run began
	control control.Control
}

// New makes a Host. Close frees it. The error is a *sandbox.EntryError for an entry of the Access.
func New(cfg Config) (*Host, error) {
	if err := cfg.Access.Check(); err != nil {
		return nil, err
	}
	h := (&Host{cfg: cfg, modules: map[string]*module{}, kinds: newKinds()}).withOptions()
	h.cfg.MaxDepth = cmp.Or(cfg.MaxDepth, DefaultMaxDepth)
	site := cfg.Runtime.Site
	cfg.Runtime.Site = func(id fiber.RegularID) string {
		if s := h.site(id); s != "" || site == nil {
			return s
		}
		return site(id)
	}
	h.rt = stackful.New(cfg.Runtime)
	h.io = newIOAccess(h.rt, &cfg)
	h.codec.Own, h.codec.Function = ownValue, isFunction
	h.group = h.rt.Scheduler().Attachments().NewGroup(nil, "", cfg.Quota)
	if cfg.Quota != (quota.Limits{}) {
		h.rt.Scheduler().Ops().AddDevice((*ender)(h))
	}
	h.control.Package, h.control.Core, h.control.Grace = "starlark", &h.rt.Scheduler().Core, cfg.Runtime.Grace
	h.control.Drive = func(ctx context.Context) { _ = h.drive(ctx) }
	h.control.SetGroup(h.group)
	h.names = h.predeclared()
	return h, nil
}

func (h *Host) withOptions() *Host {
	if h.options = h.cfg.Options; h.options == nil {
		h.options = Dialect()
	}
	return h
}

// Runtime is what the fibers run on.
func (h *Host) Runtime() *stackful.Runtime { return h.rt }

// Spent is what the programs of the Host have used.
func (h *Host) Spent() quota.Spent { return h.group.Spent() }

// Close kills the fibers that still run. A second Close does nothing.
func (h *Host) Close() {
	if !h.control.Close() {
		return
	}
	h.rt.Close()
	h.io.close()
}

// RunFile runs the program in a file as the main fiber; see Run. The file is read with the rights of the process,
// whatever Config.Access is. One more error is *fs.PathError.
func (h *Host) RunFile(ctx context.Context, path string, args ...string) (gostar.StringDict, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return h.Run(ctx, path, source, args...)
}

// Run executes a program as the main fiber, and returns its globals, which are frozen. The other fibers are killed
// when it ends. The name is that of its file: what it loads is relative to it. The program has args as fiber.args.
//
// Errors: *GuestError (syntax errors, and errors of the program), *quota.Error, *scheduler.DeadlockError, ctx's error, and
// scheduler.ErrStopped after Shutdown. The fibers of a program that deadlocked stay as they are, for inspection, until
// the next call or Close.
func (h *Host) Run(ctx context.Context, name string, source []byte, args ...string) (gostar.StringDict, error) {
	end, err := h.control.Begin(ctx, "Run", true)
	if err != nil {
		return nil, err
	}
	defer end()
	program, err := h.compile(name, source)
	if err != nil {
		return nil, err
	}
	h.clear()
	h.setArgs(args)
	h.modules = map[string]*module{} // those of an earlier program may have other globals
	h.main = newModule(name)
	h.modules[h.main.file] = h.main
	h.main.program = program
	main := h.main
	code := h.entry(func(t *thread) (gostar.Value, error) {
		_, err := t.program()
		return gostar.None, err
	})
	if err := h.runMain(ctx, "main", code, h.group); err != nil {
		return nil, err
	}
	return main.globals, nil
}

func (h *Host) setArgs(args []string) {
	h.args = make(gostar.Tuple, len(args))
	for i, a := range args {
		h.args[i] = gostar.String(a)
	}
	h.names = h.predeclared()
}

// runMain runs a main fiber to its end.
func (h *Host) runMain(ctx context.Context, name string, code stackful.Func, group *scheduler.Group) error {
	begin := func(f *stackful.Fiber) (any, error) {
		h.began = f.Now()
		return code(f)
	}
	if _, err := h.rt.GoWith(name, begin, scheduler.Options{Main: true, Group: group}); err != nil {
		return err
	}
	return h.drive(ctx)
}

// drive runs the fibers until the run ends.
func (h *Host) drive(ctx context.Context) error {
	err := h.rt.Run(ctx)
	h.stuck = errors.As(err, new(*scheduler.DeadlockError))
	return err
}

// clear ends the fibers of a run that deadlocked, and the calls that were posted since: they belong to its run.
func (h *Host) clear() {
	if h.stuck {
		ended, cancel := context.WithCancelCause(context.Background())
		cancel(scheduler.ErrStopped) // the run only unwinds: a posted call could last
		_ = h.rt.Run(ended)          // its error is that of the context
		h.stuck = false
	}
}

// predeclared are the names that all files have.
func (h *Host) predeclared() gostar.StringDict {
	names := h.library()
	for name, v := range h.cfg.Predeclared {
		v.Freeze()
		names[name] = v
	}
	return names
}

// compile compiles a file with the names that this Host has.
func (h *Host) compile(name string, source []byte) (*gostar.Program, error) {
	p, err := compile(h.options, h.pays(), name, source, h.names.Has)
	if err != nil {
		return nil, syntaxError(err)
	}
	return p, nil
}

func notCalled(format string, args ...any) error {
	return &bind.ValueError{Place: "function", Reason: fmt.Sprintf(format, args...)}
}
