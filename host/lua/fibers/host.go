package fibers

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Config is what a Host is made with; the zero Config is usable, with virtual time.
type Config struct {
	// Runtime configures the scheduler. Its Budget is the slice: how many VM
	// instructions a fiber runs before others get their turn. Its Unobserved is told of
	// each fiber that failed and that nobody joined, when the run ends; of a deadlock,
	// too: the failure may be why nobody sends.
	Runtime stackful.Config
	// Lua configures the Lua state. It is Deep.
	Lua lua.Config
	// Stdin is what programs read by io.read, io.lines and io.stdin; nil is the process's.
	// Best is one with read deadlines, like an *os.File of a pipe.
	Stdin io.Reader
	// MaxBytes is the most that one call gives a program from outside: a file, an answer.
	// 0 means fiberio.DefaultMaxBytes.
	MaxBytes int64
	// ClientTLS is whom http and net.dial trust; nil is the system's roots.
	ClientTLS *tls.Config
	// Workers is how many files may be worked on at once; 0 means reactor.DefaultWorkers.
	Workers int
	// MaxIslands is how many islands a program may make, each of which is a Lua state and a
	// goroutine until it ends; one more is an error of the program. 0 means DefaultMaxIslands.
	MaxIslands int
	// Islands is called for the Host of each island that the program makes, on the goroutine
	// of whoever makes it, to give it what the host has added to this one. It may be called
	// by several goroutines at once. Of Runtime's hooks, an island has none but Unobserved,
	// which is called when the program has ended.
	Islands func(*Host)
}

// Host runs Lua programs on fibers. It belongs to one goroutine.
type Host struct {
	cfg    Config
	rt     *stackful.Runtime
	state  *lua.State
	types  types
	named  int // objects named so far
	closed bool
	stuck  bool // the last program deadlocked

	loading   map[string]*module // by a fiber that calls require
	outside   outside
	geography geography
}

// New makes a Host. Close ends it.
func New(cfg Config) *Host {
	cfg.Lua.Stdout, cfg.Lua.Stderr = locked(cfg.Lua.Stdout), locked(cfg.Lua.Stderr)
	h := &Host{cfg: cfg, loading: map[string]*module{}}
	cfg.Runtime.Site = h.site
	h.rt = stackful.New(cfg.Runtime)
	cfg.Lua.Deep = true
	h.state = lua.New(cfg.Lua)
	h.open()
	return h
}

// Runtime is what the fibers run on.
func (h *Host) Runtime() *stackful.Runtime { return h.rt }

// State is the Lua state they share; the host may add globals and modules to it.
func (h *Host) State() *lua.State { return h.state }

// Close kills what still runs, and frees the Lua state. A second Close does nothing.
func (h *Host) Close() {
	if !h.closed {
		h.closed = true
		h.rt.Close()
		h.closeOutside()
		h.state.Close()
	}
}

// RunFile loads a file and runs it as the main fiber, with the args as its `...` and
// in the global table arg, as the lua command does. It returns what the program
// returns. Errors: *GuestError (syntax errors, and errors the program did not catch),
// *scheduler.DeadlockError, ctx's error, *fs.PathError. The fibers of a program that
// deadlocked are left as they are, to be looked at, until the next Run or Close.
func (h *Host) RunFile(ctx context.Context, path string, args ...string) ([]glua.LValue, error) {
	source, err := readSource(path)
	if err != nil {
		return nil, err
	}
	return h.Run(ctx, strings.NewReader(source), path, args...)
}

// Run is RunFile for a program from anywhere; chunk names it in messages.
func (h *Host) Run(ctx context.Context, source io.Reader, chunk string, args ...string) ([]glua.LValue, error) {
	if h.closed {
		panic("fibers: Run on a Host that is closed; make a new one: " + rule.Cite(rule.Closed))
	}
	main, err := h.load(source, chunk)
	if err != nil {
		return nil, err
	}
	h.clear(ctx)
	values := h.setArgs(chunk, args)
	t, err := h.start("main", h.state.Main(), main, values)
	if err != nil {
		return nil, err
	}
	id, _ := t.stack.ID().Regular()
	if err := h.rt.Scheduler().Attachments().SetMain(id); err != nil {
		return nil, err
	}
	err = h.rt.Run(ctx)
	h.stuck = errors.As(err, new(*scheduler.DeadlockError))
	err = h.leave(err)
	if err != nil {
		return nil, err
	}
	result, err, _ := t.stack.Result()
	values, _ = result.([]glua.LValue)
	return values, err
}

// clear ends what a program that deadlocked has left: its main fiber, if a later program
// woke it, would end that one's run.
func (h *Host) clear(ctx context.Context) {
	if h.stuck {
		h.rt.Scheduler().Steps().KillAll(scheduler.ErrStopped)
		_ = h.rt.Run(ctx) // they unwind
		h.stuck = false
	}
}

func (h *Host) setArgs(chunk string, args []string) []glua.LValue {
	L := h.state.Base()
	table := L.NewTable()
	table.RawSetInt(0, glua.LString(chunk))
	values := make([]glua.LValue, len(args))
	for i, a := range args {
		values[i] = glua.LString(a)
		table.RawSetInt(i+1, values[i])
	}
	L.SetGlobal("arg", table)
	return values
}

// site tells, for reports, which script line a fiber has reached.
func (h *Host) site(id fiber.RegularID) string {
	slot, ok := h.rt.Scheduler().Fiber(id)
	if !ok || slot.Data == nil {
		return ""
	}
	if c, ok := slot.Data.Local.(*carrier); ok {
		return c.thread.Where()
	}
	return ""
}

// Stats are the scheduler's counts.
func (h *Host) Stats() scheduler.Counts { return h.rt.Scheduler().Inspect().Counts() }
