package fibers

import (
	"context"
	"errors"
	"os"

	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/stackful"
)

// Config is what a Host is made with; the zero Config is usable, with virtual time.
type Config struct {
	// Wasm configures the engine, and the scheduler.
	Wasm wasm.Config
	// World is what programs see of the outside.
	World World
}

// Host runs programs. It belongs to one goroutine.
type Host struct {
	cfg      Config
	rt       *wasm.Runtime
	module   *wasm.Module // the program's
	world    *outside
	shell    *shell
	channels []*channel
	tasks    []*stackful.Task
}

// New makes a Host. Close ends it.
func New(cfg Config) (*Host, error) {
	h := &Host{cfg: cfg, rt: wasm.New(cfg.Wasm)}
	h.shell = newShell(h.rt.Fibers(), cfg.Wasm.Runtime.Clock, cfg.World.Workers)
	_, err := wasi_snapshot_preview1.Instantiate(context.Background(), h.rt.Engine())
	if err == nil {
		err = h.define()
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// Runtime is what the programs run on; the host may define modules for them.
func (h *Host) Runtime() *wasm.Runtime { return h.rt }

// Close kills what still runs, and frees the code.
func (h *Host) Close() {
	h.rt.Close()
	h.shell.close()
}

// RunFile runs the program in a file as the main fiber; see Run.
func (h *Host) RunFile(ctx context.Context, path string, args ...string) (status uint32, err error) {
	binary, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return h.Run(ctx, path, binary, args...)
}

// Run runs a program as the main fiber, with its name as the first argument, as is usual,
// and returns its exit status. A Host runs one program. Errors: *wasm.ModuleError,
// *wasm.ImportError, *wasm.CallError, *scheduler.DeadlockError, ctx's error, and in
// RunFile *fs.PathError.
func (h *Host) Run(ctx context.Context, name string, binary []byte, args ...string) (status uint32, err error) {
	if h.module != nil {
		panic("fibers: Run on a Host that has run a program; make a new one: " + rule.Cite(rule.Closed))
	}
	if h.module, err = h.rt.Compile(name, binary); err != nil {
		return 0, err
	}
	h.world = h.cfg.World.outside(append([]string{name}, args...), h.shell)
	main, err := h.rt.Fibers().Go("main", h.main)
	if err != nil {
		return 0, err
	}
	id, _ := main.ID().Regular()
	if err := h.rt.Fibers().Scheduler().Attachments().SetMain(id); err != nil {
		return 0, err
	}
	err = h.rt.Fibers().Run(ctx)
	if err != nil {
		return 0, err
	}
	_, err, _ = main.Result()
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// The functions that a program may begin with.
const (
	command    = "_start"
	initialize = "_initialize"
	run        = "run"
)

func (h *Host) main(f *stackful.Fiber) (any, error) {
	i, err := h.instance(f)
	if err != nil {
		return nil, err
	}
	defer i.Close()
	entry := run
	if i.Module().ExportedFunction(command) != nil {
		entry = command
	}
	return i.Call(f, entry)
}

// instance makes one of the program, ready for calls.
func (h *Host) instance(f *stackful.Fiber) (*wasm.Instance, error) {
	i, err := h.module.Instantiate(f, h.world.config(f))
	if err != nil {
		return nil, err
	}
	if i.Module().ExportedFunction(initialize) != nil {
		if _, err := i.Call(f, initialize); err != nil {
			i.Close()
			return nil, err
		}
	}
	return i, nil
}
