package fibers

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/host/internal/control"
	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Config configures a Host. The zero Config is usable: its programs have virtual time and reach nothing
// outside.
type Config struct {
	// Access is what the programs can reach: files, network, processes, environment, clock, random
	// numbers, input and output. All ways out of Lua obey it, also those of islands and of modules;
	// os.exit ends the program only. It must pass Access.Check.
	Access sandbox.Access
	// Runtime configures the scheduler. Its Budget is the time slice: how many VM
	// instructions a fiber executes before it is preempted. Its Unobserved is called for
	// each fiber that failed and was not joined: at once if none can join it, because the
	// program has discarded its task or it handles a request; otherwise when the run ends,
	// also in a deadlock, because the failure may be its reason. The goroutine of the island that
	// the fiber ran on calls; no two calls overlap.
	Runtime stackful.Config
	// Lua configures the Lua state. Deep is always set; Stdout, Stderr, Files, Now and Random are those
	// of Access.
	Lua lua.Config
	// MaxBytes is the most bytes that one call returns to a program: of a file, of an HTTP
	// answer. 0 means fiberio.DefaultMaxBytes.
	MaxBytes int64
	// ClientTLS configures the connections of http and net.dial; nil means the root
	// certificates of the system.
	ClientTLS *tls.Config
	// Resolver looks up names for net and http; see fiberio.Config.Resolver.
	Resolver *net.Resolver
	// IOWorkers is how many file operations run at the same time; 0 means
	// 64.
	IOWorkers int
	// Quota limits what the program, or all that the Host runs, may use. When a quota is passed, all
	// fibers of the Host end and cannot prevent it; Run, Call and Serve return an error with a
	// *quota.Error, and so do all later ones. Steps are VM instructions, and the work of library
	// functions in the same unit. Output is what is written to Access.Stdout and
	// Access.Stderr, also by processes of os.execute and io.popen, which count to the program and not
	// to a single call. Time is
	// that of Runtime.Clock while the Host has fibers: virtual time stands still while they execute.
	// The islands of a program share the quotas, but an island may use up to a time slice of steps
	// more, and only the first one has the limit of time.
	Quota quota.Limits
	// On is what several Hosts run on together; nil gives the Host a Runtime of its own. With On,
	// IOWorkers is not set, and of Runtime only Unobserved: see Shared.
	On *Shared
	// Races ends the program with a *RaceError at a data race: two accesses to a key of a table, or to a
	// variable that closures share, that nothing orders. See docs/explore.md. It costs several times the
	// run time. The islands that the program makes are not watched, and On is nil.
	Races bool
	// AccessPoints is for explored runs (scheduler.Config.Choose): a fiber may be preempted before each such
	// access. Run and Call return an error if this build cannot watch programs (lua.CanWatch).
	AccessPoints bool
	// MaxIslands is how many islands a program may make; another one is an error of the
	// program. Each is a Lua state and a goroutine until it ends. 0 means DefaultMaxIslands.
	MaxIslands int
	// Islands is called for the Host of each island that the program makes, to add what the
	// embedder has added to this one. The goroutine of the island that makes it calls; several
	// may call at once. Of the hooks in Runtime an island has only Unobserved, and those that IslandHooks sets.
	Islands func(*Host)
	// IslandHooks is called before the Host of such an island is made, where Islands is called, with the island's name
	// and the Config of its scheduler. It may set the hooks that watch a scheduler (Observer, Lost, Dropped, and Record
	// with OneByOne, as recorder.Recorder.Configure does), and nothing else. What it returns follows the island.
	IslandHooks func(island string, cfg *scheduler.Config) IslandHooks
}

// Host runs Lua programs on fibers. One goroutine owns it and makes all calls; Start may be called by
// any. On a Shared (Config.On), Run and Call are run by the goroutine of the Shared, for which the caller
// waits; the fibers of Start are not ended by them.
type Host struct {
	env       *env
	tasks     *tasks
	external  *external
	processes *processes
	files     *files
	islands   *islands
	closed    bool
	stuck     bool        // the last program deadlocked
	down      atomic.Bool // Shutdown was called
	loop      *driver
	shared    *Shared     // nil: the Runtime is this Host's own
	guest     sharedGuest // used with shared
}

// New makes a Host. Close frees it.
func New(cfg Config) *Host {
	if err := cfg.Access.Check(); err != nil {
		panic("fibers: Config.Access: " + err.Error() + "; call Access.Check first if the entry comes from outside: " + rule.Cite(rule.ValidArgument))
	}
	cfg.Lua.Stdout, cfg.Lua.Stderr = locked(cfg.Access.Stdout), locked(cfg.Access.Stderr)
	cfg.Runtime.Unobserved = serialized(cfg.Runtime.Unobserved)
	if cfg.On != nil {
		cfg.On.complete(&cfg)
	}
	return newHost(cfg, nil)
}

// newHost makes the Host of a program, or, below the Account of the program, of an island.
func newHost(cfg Config, guest *quota.Account) *Host {
	h := &Host{env: &env{}, shared: cfg.On}
	h.env.watching(&cfg)
	h.env.cfg, h.env.vars, h.env.unobserved = cfg, cfg.Access.Env, fiberio.UnobservedOf(cfg.Runtime)
	if h.shared != nil {
		h.loop = &h.shared.driver
	} else {
		h.loop = &driver{}
		h.loop.drives(newRuntime(cfg.Runtime))
	}
	h.env.rt = h.loop.rt
	h.env.show()
	if group := h.env.limit(guest, &cfg.Lua); h.shared != nil {
		h.shared.add(h, group)
	} else {
		group()
	}
	cfg.Lua.Away = h.away
	cfg.Lua.Deep, cfg.Lua.Files, cfg.Lua.Now, cfg.Lua.Random = true, sources{host: h}, h.env.wallTime, cfg.Access.Random
	cfg.Lua.MeasureAtOnce = virtual(cfg.Runtime.Clock)
	cfg.Lua.GoTools = cfg.Lua.GoTools || cfg.Runtime.GoTools
	h.env.state = lua.New(cfg.Lua)
	h.env.codec.Float64, h.env.codec.Own, h.env.codec.Function = true, ownValue, isFunction
	h.open()
	return h
}

// newRuntime makes a Runtime for fibers of this package.
func newRuntime(cfg stackful.Config) (rt *stackful.Runtime) {
	cfg.Site = func(id fiber.RegularID) string { return siteOf(rt, id) }
	rt = stackful.New(cfg)
	return rt
}

// open makes the libraries.
func (h *Host) open() {
	h.tasks = newTasks(h.env)
	h.external = newExternal(h.env)
	h.islands = newIslands(h, h.external.virtual)
	library := h.tasks.library()
	for _, b := range append(syncObjects(), groups{h.tasks}.binding()) {
		name, constructor := b.bind(h.env)
		library[name] = constructor
	}
	library["select"] = (&selects{h.env, h.islands.ports}).run
	library["scope"] = newScopes(h.tasks).scope
	library["island"] = h.islands.create
	library["port"] = h.islands.ports.create
	h.env.module("fiber", library)

	openRequire(h.env)
	openNet(h.external)
	openHTTP(h.external, h.tasks)
	openFS(h.external)
	h.processes = openProc(h.external)
	h.files = openIO(h.external, h.processes)
	openOS(h)
}

func (h *Host) rt() *stackful.Runtime { return h.env.rt }

// Runtime is what the fibers run on: with Config.On, those of all its Hosts.
func (h *Host) Runtime() *stackful.Runtime { return h.env.rt }

// State is the Lua state that the fibers share. The host may add globals and modules to it.
func (h *Host) State() *lua.State { return h.env.state }

// Context is the context of the Lua fiber that executes, for the Go functions that the host has
// added (stackful.Fiber.Context): with the values and the deadline of the context given to Run, ended
// when the fiber is cancelled or killed or ends. LState.Context is the same context, but see
// lua.Thread.SetContext. While no fiber executes it is context.Background.
func (h *Host) Context() context.Context {
	s := h.env.rt.Scheduler()
	if s.Current() == 0 {
		return context.Background()
	}
	return s.Unwind().Context()
}

// Close kills the fibers that still run, and frees the Lua state. A second Close does nothing.
func (h *Host) Close() {
	if !h.closed {
		h.closed = true
		h.endFibers()
		h.external.close()
		h.processes.killAll()
		h.env.state.Close()
	}
}

// endFibers kills the fibers, and returns when they have ended.
func (h *Host) endFibers() {
	if h.shared != nil {
		h.down.Store(true) // Start refuses
		h.shared.remove(h)
		return
	}
	h.env.rt.Close()
}

// RunFile loads a file and runs it as the main fiber, with the args as its `...` and
// in the global table arg, as the lua command does. It returns what the program
// returns. Errors: *GuestError (syntax errors, and errors the program did not catch), *ExitError,
// *scheduler.DeadlockError, ctx's error, *fs.PathError. The fibers of a program that
// deadlocked stay as they are, for inspection, until the next Run or Close. The file itself is read
// with the rights of the process, whatever Config.Access is.
func (h *Host) RunFile(ctx context.Context, path string, args ...string) ([]glua.LValue, error) {
	source, err := readSource(path)
	if err != nil {
		return nil, err
	}
	return h.Run(ctx, strings.NewReader(source), path, args...)
}

// Run is RunFile for a program from any source; chunk is its name in messages.
func (h *Host) Run(ctx context.Context, source io.Reader, chunk string, args ...string) ([]glua.LValue, error) {
	end, err := h.begin(ctx, "Run")
	if err != nil {
		return nil, err
	}
	defer end()
	main, text, err := compile(source, chunk)
	if err != nil {
		return nil, err
	}
	if h.env.cfg.Lua.KeepSource > 0 {
		h.env.state.KeepSource(chunk, string(text))
	}
	start := func() (mainCall, error) {
		return mainCall{name: "main", thread: h.env.state.Main(), fn: main.on(h.env.state), args: h.setArgs(chunk, args)}, nil
	}
	var values []glua.LValue
	err = h.runMain(ctx, start, func(results []glua.LValue) error { values = results; return nil })
	return values, err
}

// begin makes the caller the only one that runs the Host, until it calls end. A second run would
// add fibers to the first: it comes from another goroutine, or from a Go function of a fiber. After
// Shutdown it is scheduler.ErrStopped.
func (h *Host) begin(ctx context.Context, call string) (end func(), err error) {
	control.MustHaveContext(ctx, "fibers", call)
	if err := h.env.canWatch(); err != nil {
		return nil, err
	}
	if !h.take() {
		if h.down.Load() {
			return nil, scheduler.ErrStopped
		}
		panic("fibers: " + call + " on a Host that runs already; wait until that call has returned, or post with Start: " + rule.Cite(rule.OneOwner))
	}
	switch {
	case h.closed:
		h.release()
		panic("fibers: " + call + " on a Host that is closed; make a new one: " + rule.Cite(rule.Closed))
	case h.down.Load():
		h.release()
		return nil, scheduler.ErrStopped
	}
	return func() {
		h.release()
		h.loop.owner.CarryOut()
	}, nil
}

// take makes the caller the only one that calls the Host, which then runs it, if it is not on a Shared.
func (h *Host) take() bool {
	if h.shared != nil {
		return h.guest.called.CompareAndSwap(false, true)
	}
	return h.loop.owner.Take()
}

func (h *Host) release() {
	if h.shared != nil {
		h.guest.called.Store(false)
		return
	}
	h.loop.owner.Release()
}

// mainCall is a call that a main fiber makes.
type mainCall struct {
	name   string
	limits quota.Limits
	thread *lua.Thread
	fn     *glua.LFunction
	args   []glua.LValue
}

// runMain makes a call by a main fiber, and passes on its results. The owner calls the two functions.
func (h *Host) runMain(ctx context.Context, start func() (mainCall, error), done func([]glua.LValue) error) error {
	if h.shared != nil {
		return h.shared.run(ctx, h, start, done)
	}
	h.clear()
	main, err := start()
	if err != nil {
		return err
	}
	t, err := h.tasks.start(h.goMain(scheduler.Options{Group: h.env.part(main.name, main.limits)}), main.name, main.thread, main.fn, main.args)
	if err != nil {
		return err
	}
	if err = h.drive(ctx); err != nil {
		return err
	}
	result, _, _ := t.stack.Result() // none after os.exit(0)
	values, _ := result.([]glua.LValue)
	return done(values)
}

// drive runs the fibers until the run ends.
func (h *Host) drive(ctx context.Context) error {
	err := h.runFibers(ctx)
	if h.env.exit != nil {
		err = h.env.exit
	}
	if w := h.env.watch; w != nil && w.found != nil {
		err, w.found = w.found, nil
	}
	h.stuck = errors.As(err, new(*scheduler.DeadlockError))
	return h.env.exited(h.islands.leave(err))
}

// goMain starts the main fiber, with which the time of the program begins.
func (h *Host) goMain(o scheduler.Options) spawner {
	o.Main = true
	return func(name string, code stackful.Func) (*stackful.Task, error) {
		return h.env.spawnWith(name, func(f *stackful.Fiber) (any, error) {
			h.env.began = f.Now()
			return code(f)
		}, o)
	}
}

// clear ends the fibers of a program that deadlocked, and the calls that were posted since: they belong
// to its run. If a later program woke its main fiber, that would end the run of the later program.
func (h *Host) clear() {
	if h.stuck {
		ended, cancel := context.WithCancelCause(context.Background())
		cancel(scheduler.ErrStopped) // the run only unwinds: a posted call could last
		_ = h.env.rt.Run(ended)      // its error is that of the context
		h.stuck = false
	}
}

func (h *Host) setArgs(chunk string, args []string) []glua.LValue {
	L := h.env.state.Base()
	table := L.CreateTable(len(args)+1, 1) // NewTable has room for 32 of both kinds
	table.RawSetInt(0, glua.LString(chunk))
	values := make([]glua.LValue, len(args))
	for i, a := range args {
		values[i] = glua.LString(a)
		table.RawSetInt(i+1, values[i])
	}
	L.SetGlobal("arg", table)
	return values
}

// Stats are the scheduler's counts: with Config.On, of all its Hosts.
func (h *Host) Stats() scheduler.Counts { return h.env.rt.Scheduler().Inspect().Counts() }
