package fibers

import (
	"context"
	"errors"
	"os"

	"github.com/tetratelabs/wazero/sys"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/internal/control"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Config configures a Host. The zero Config is usable and has virtual time.
type Config struct {
	// Wasm configures the engine, and the scheduler.
	Wasm wasm.Config
	// Access is what the programs reach. Their files are those of its Dirs, also if sandbox.Process
	// has made it: WASI names the directories that a program may open. WASI has no sockets and no
	// processes, and a program has no working directory: with a WorkDir, the variable PWD names it,
	// which is where the Go runtime looks. A read of the input and an operation on a file block their
	// fiber only; in virtual time they are done in place and block all.
	Access sandbox.Access
	// IOWorkers is how many operations on files run at the same time; 0 means 64.
	IOWorkers int
	// Quota limits what the program uses, all of its fibers together. One that passes a limit ends
	// with the *quota.Error, which it cannot catch. The unit of steps is that of package meter, also
	// for bytes that are written and for random ones, of which 256 are a unit. Memory is the linear
	// memories and tables of all instances, 32 kB more for each, channels with their buffers, and tasks; it is
	// not the machine code, the stacks of the fibers, and an eighth that a memory which has grown
	// may have in reserve.
	Quota quota.Limits
	// CountSteps counts the steps of each fiber, for Host.Steps. The Host then counts what it does with a Quota, also if
	// there is none; a call of a host function costs some tens of nanoseconds more.
	CountSteps bool
	// Program is what RunProgram, Call, Start and Serve use; see Compile. Run does not need it.
	Program *Program
}

// Host runs a program. One goroutine owns it and makes all calls.
type Host struct {
	cfg      Config
	rt       *wasm.Runtime
	group    *scheduler.Group // nil without quotas
	fibers   *scheduler.Group // of all fibers
	module   *wasm.Module     // of the program; nil before Run
	joins    bool             // the program imports join
	env      *environment     // nil before Run
	io       *ioAccess
	channels []*channel
	tasks    []*task
	taken    int64                      // bytes of the quota of memory, by channels and tasks
	bound    map[string][]wasm.Function // by module: not defined yet
	codec    bind.Codec
	calls    *calls // of Config.Program; nil before the first
	unloaded error  // why calls is nil after a Shutdown
	stuck    bool   // the last call deadlocked
	control  control.Control
	// unobserved reports the failures that no fiber can join, when they happen.
	unobserved fiberio.Unobserved
}

// New makes a Host. Close frees it.
func New(cfg Config) (*Host, error) {
	if cfg.Program != nil {
		cfg.Wasm.Cache = cfg.Program.cache
	}
	h := &Host{cfg: cfg, unobserved: fiberio.UnobservedOf(cfg.Wasm.Runtime), bound: map[string][]wasm.Function{}}
	cfg.Wasm.Modules, cfg.Wasm.Host = define, h
	h.rt = wasm.New(cfg.Wasm)
	h.codec.JSON = true
	h.io = newIOAccess(h.rt.Fibers(), cfg.Wasm.Runtime.Clock, cfg.IOWorkers)
	h.fibers = h.rt.Fibers().Scheduler().Attachments().NewGroup(nil, "", cfg.Quota)
	if cfg.Quota != (quota.Limits{}) || cfg.CountSteps {
		h.group = h.fibers
		h.rt.Fibers().Scheduler().Ops().AddDevice((*ender)(h))
	} else {
		h.rt.Uncounted(h.fibers)
	}
	h.control.Package, h.control.Core, h.control.Grace = "fibers", &h.rt.Fibers().Scheduler().Core, cfg.Wasm.Runtime.Grace
	h.control.Drive = h.finish
	h.control.SetGroup(h.fibers)
	return h, nil
}

// Runtime is what the program runs on. The embedder may define modules of host functions there.
func (h *Host) Runtime() *wasm.Runtime { return h.rt }

// Spent is what the program has used so far. If Config.Quota has no limit, and without Config.CountSteps, steps and output are not counted,
// and Memory is the linear memories.
func (h *Host) Spent() quota.Spent {
	spent := h.fibers.Spent()
	if h.group == nil {
		spent.Memory = h.rt.Memory()
	}
	return spent
}

// Steps is how many steps a fiber of this Host has executed when it has last called the host. counted is false if the
// fiber has ended, and if neither Config.Quota nor Config.CountSteps is set. The goroutine that runs the Host calls it.
func (h *Host) Steps(id fiber.RegularID) (steps uint64, counted bool) { return h.rt.Steps(id) }

// Close kills the fibers that still run, frees the code, and closes the directories.
func (h *Host) Close() {
	if !h.control.Close() {
		return
	}
	h.rt.Close()
	if h.group != nil {
		h.group.Account().Give(quota.Memory, h.taken)
		h.taken = 0
	}
	h.io.close()
	if h.env != nil {
		h.env.close()
	}
}

// RunFile runs the program in a file as the main fiber; see Run.
func (h *Host) RunFile(ctx context.Context, path string, args ...string) (status uint32, err error) {
	binary, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return h.Run(ctx, path, binary, args...)
}

// Run runs a program as the main fiber, with its name as the first argument, and returns its exit
// status. A Host runs one program. Errors: *wasm.ModuleError,
// *wasm.ImportError, *wasm.CallError, *quota.Error, *scheduler.DeadlockError, ctx's error,
// scheduler.ErrStopped after Shutdown, and *fs.PathError for a directory of the Access that cannot be opened and for the file of RunFile.
func (h *Host) Run(ctx context.Context, name string, binary []byte, args ...string) (status uint32, err error) {
	return h.runMain(ctx, "Run", append([]string{name}, args...), func() (*wasm.Module, error) { return h.rt.Compile(name, binary) })
}

// RunProgram is Run for Config.Program.
func (h *Host) RunProgram(ctx context.Context, args ...string) (status uint32, err error) {
	p := h.cfg.Program
	if p == nil {
		panic("fibers: RunProgram on a Host without a program; set Config.Program: " + rule.Cite(rule.ValidArgument))
	}
	return h.runMain(ctx, "RunProgram", append([]string{p.name}, args...), h.program)
}

func (h *Host) runMain(ctx context.Context, call string, args []string, compile func() (*wasm.Module, error)) (status uint32, err error) {
	end, err := h.begin(ctx, call)
	if err != nil {
		return 0, err
	}
	defer end()
	if h.module != nil {
		panic("fibers: " + call + " on a Host that has run a program; make a new one: " + rule.Cite(rule.Closed))
	}
	if err = h.prepare(compile, args); err != nil {
		return 0, err
	}
	if _, err = h.rt.Fibers().GoWith("main", h.main, scheduler.Options{Main: true, Group: h.fibers}); err != nil {
		return 0, err
	}
	err = h.rt.Fibers().Run(ctx)
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// prepare makes everything that instances of a program need.
func (h *Host) prepare(compile func() (*wasm.Module, error), args []string) (err error) {
	if err = h.defineBound(); err != nil {
		return err
	}
	if h.module, err = compile(); err != nil {
		return err
	}
	h.joins = h.module.Imports(library, "join")
	h.env, err = newEnvironment(h.cfg.Access, args, h)
	return err
}

// The exported functions that are called first.
const (
	command    = "_start"
	initialize = "_initialize"
	run        = "run"
)

func (h *Host) main(f *stackful.Fiber) (_ any, err error) {
	defer func() {
		if err != nil {
			h.touch(nil) // the run ends here, with an exit too: whatever others have not done they never do
		}
	}()
	i, err := h.instance(f, &user{f})
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

// instance makes an instance of the program that is ready for calls. Its user is f at first.
func (h *Host) instance(f *stackful.Fiber, u *user) (*wasm.Instance, error) {
	i, err := h.module.Instantiate(f, h.env.config(u))
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
