package lua

import (
	"container/list"
	"io"
	"math"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/pattern"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/stack"
)

// State is one Lua state: the globals, the loaded modules and the coroutines that a group of
// fibers shares. One of the fibers executes at a time, on any goroutine.
type State struct {
	config Config
	base   *glua.LState // has the libraries and loads chunks; no fiber runs on it
	meter  *vm.Meter
	pool   *stack.Pool
	native native
	// patterns are those that were used, by their text.
	patterns map[string]*pattern.Pattern
	sources  keptSources

	granted int64   // the time slice of the current thread, in instructions
	payer   Carrier // the fiber whose slice that is, or was last; nil if there is none
	empty   bool    // the time slice is empty, because the live memory is to be measured
	memory  *memory // nil if there is no limit

	profiler *profiler // nil without Config.Profile

	idle        *Thread   // current while no fiber runs: the host, on base
	unwinder    *Thread   // current while an unreachable coroutine is unwound
	current     *routine  // the routine that executes
	live        list.List // of *routine: coroutines that have a stack, in the order of their start
	unreachable unreachable

	// anchor takes the place of the resumer for gopher-lua: a coroutine that returns pushes
	// true and its results here.
	anchor *glua.LState
	// quiet is the LState.Panic of code whose errors are caught: it builds no traceback.
	quiet func(*glua.LState)
	// guard is used by protected calls; nil if gopher-lua's own calls are used.
	guard *vm.Guard
}

// New makes a Lua state with the libraries of Lua 5.1. Close frees it.
func New(c Config) *State {
	c = c.withDefaults()
	s := &State{
		config:   c,
		base:     newBase(c.meter),
		pool:     stack.NewPool(c.Backing, idleStacks),
		patterns: map[string]*pattern.Pattern{},
		sources:  keptSources{room: c.KeepSource},
	}
	s.meter = vm.New(c.meter, c.MaxDepth, s.expire)
	if c.Watcher != nil && !s.meter.Watch(c.Watcher) {
		panic("lua: Config.Watcher: this build cannot watch programs; ask CanWatch first: " + rule.Cite(rule.ValidArgument))
	}
	s.openProfile()
	s.memory = s.newMemory(c)
	s.base.Options = s.meter.Full(c.MaxStack) // of threads that Go functions make
	s.learnQuiet()
	s.openLibs()
	s.anchor = s.newAnchor()
	s.idle, s.unwinder = s.helper(unlimited{}), s.helper(unwinding{})
	s.makeCurrent(&s.idle.main)
	return s
}

// Base is the LState on which the host prepares the state: it may set globals, preload modules,
// and open gopher-lua's library channel (which can block the whole process). Lua code that the
// host runs on it directly is not metered and cannot be preempted. Chunks must be compiled by
// Load: a chunk that Base compiles itself can crash the process.
func (s *State) Base() *glua.LState { return s.base }

// Load compiles a chunk. Errors are *glua.ApiErrors. A syntax error names chunk and line; it is
// also returned for a program that is nested too deeply or too large (see the package comment).
func (s *State) Load(r io.Reader, chunk string) (*glua.LFunction, error) {
	text, err := readAll(r)
	if err != nil {
		return nil, apiError(glua.ApiErrorFile, err)
	}
	proto, err := prototype(text, chunk, maxSource)
	if err != nil {
		return nil, err
	}
	s.KeepSource(chunk, text)
	return s.Function(proto), nil
}

// Function makes a function of this State of code that Compile has made.
func (s *State) Function(code *glua.FunctionProto) *glua.LFunction {
	if vm.HasLong(code) {
		s.meter.ExpectLong()
	}
	s.profiler.know(code)
	return s.base.NewFunctionFromProto(code)
}

// LoadFile is Load for a file; a first line that starts with # is skipped.
func (s *State) LoadFile(path string) (*glua.LFunction, error) {
	return s.compileFile(s.base, ProcessFiles{}, path)
}

// Close unwinds the suspended coroutines and removes temporary files. No fiber may use the state
// any more.
func (s *State) Close() {
	for e := s.live.Front(); e != nil; e = s.live.Front() {
		s.abandon(e.Value.(*routine))
	}
	s.pool.Close()
	s.profiler.close()
	s.base.Close()
	s.memory.close()
}

// Current is the thread that executes now, or nil. A Go function that Lua has called finds its
// fiber by it.
func (s *State) Current() *Thread {
	if t := s.current.thread; t != s.idle && t != s.unwinder {
		return t
	}
	return nil
}

// helper makes a thread without a fiber.
func (s *State) helper(c Carrier) *Thread {
	t := s.newThread(s.base.Env, false)
	t.carrier = c
	t.main.L, t.main.status = s.base, active
	return t
}

// newL makes a gopher-lua thread that counts its instructions. It is small and grows.
func (s *State) newL(r *routine, env *glua.LTable) *glua.LState {
	L := s.newThreadOf(s.meter.Small(s.config.MaxStack))
	L.Env = env
	r.nested = s.meter.Attach(L)
	return L
}

// newAnchor makes the thread that gopher-lua pushes the results of coroutines on, one at a time. So
// it grows in large steps.
func (s *State) newAnchor() *glua.LState {
	o := s.meter.Small(s.config.MaxStack)
	o.RegistryGrowStep = max(o.RegistryGrowStep, s.config.MaxStack/64)
	return s.newThreadOf(o)
}

// newThreadOf makes a gopher-lua thread. Threads that Go functions make of it have the full size,
// because they do not grow.
func (s *State) newThreadOf(o glua.Options) *glua.LState {
	full := s.base.Options
	s.base.Options = o
	L, _ := s.base.NewThread()
	s.base.Options, L.Options = full, full
	return L
}

// newBase makes the base of a state, with the limits of gopher-lua. It has a meter of its own, which
// never ends a time slice, only to make its stacks grow.
func newBase(kind vm.Kind) *glua.LState {
	var m *vm.Meter
	m = vm.New(kind, glua.CallStackSize, func() { m.Left = math.MaxInt64 })
	o := m.Small(glua.RegistrySize)
	o.SkipOpenLibs, o.RegistrySize = true, 128 // less would count as none given
	L := glua.NewState(o)
	if m.Direct() {
		m.Attach(L)
	}
	return L
}

// makeCurrent records that r executes, here and for gopher-lua's own functions.
func (s *State) makeCurrent(r *routine) {
	s.current = r
	r.thread.top = r
	s.base.G.CurrentThread = r.L
	s.meter.Building = &r.building
}

// learnQuiet reads gopher-lua's panic function without a traceback. gopher-lua does not export it,
// but sets it during a protected call.
func (s *State) learnQuiet() {
	s.base.Push(s.base.NewFunction(func(L *glua.LState) int {
		s.quiet = L.Panic
		return 0
	}))
	if err := s.base.PCall(0, 0, nil); err != nil {
		panic(err)
	}
}
