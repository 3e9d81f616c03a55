package lua

import (
	"io"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
	"github.com/selvage-dev/selvage/internal/stack"
)

// State is one Lua state: the globals, the loaded modules and the coroutines that a
// group of fibers shares. One of its fibers executes at a time.
type State struct {
	config Config
	base   *glua.LState // has the libraries and loads chunks; no fiber runs on it
	meter  *vm.Meter
	pool   *stack.Pool
	stock  stock

	idle    *Thread  // runs while no fiber does: the host, on base
	bury    *Thread  // runs while an abandoned coroutine is unwound
	current *routine // what executes
	live    list     // coroutines that have a stack
	lost    graveyard

	// anchor stands for the resumer in gopher-lua's eyes: a coroutine that returns
	// pushes true and its results here.
	anchor *glua.LState
	// quiet is the LState.Panic of code whose errors are caught: no traceback is built.
	quiet func(*glua.LState)
	// guard is that of protected calls; nil if gopher-lua's own are used.
	guard *vm.Guard
}

// New makes a Lua state with the libraries of Lua 5.1. Close ends it.
func New(c Config) *State {
	c = c.withDefaults()
	s := &State{
		config: c,
		base:   glua.NewState(glua.Options{SkipOpenLibs: true}),
		pool:   stack.NewPool(c.Backing, idleStacks),
	}
	s.meter = vm.New(c.meter, c.MaxDepth, s.expire)
	s.base.Options = s.meter.Small(c.MaxStack)
	s.learnQuiet()
	s.openLibs()
	s.anchor, _ = s.base.NewThread()
	s.idle, s.bury = s.helper(unhurried{}), s.helper(burial{})
	s.makeCurrent(&s.idle.main)
	return s
}

// Base is the LState on which the host prepares the state: it may set globals, preload
// modules, open gopher-lua's channel library (which can block the whole process). Lua
// code run on it directly is not metered and cannot be put aside, and what it compiles
// itself can crash the process: Load does that for the host.
func (s *State) Base() *glua.LState { return s.base }

// Load compiles a chunk. Errors are *glua.ApiErrors; a syntax error names chunk and line.
// It is one too if the program is nested too deeply, or too large: see the package
// comment.
func (s *State) Load(r io.Reader, chunk string) (*glua.LFunction, error) {
	source, err := read(r)
	if err != nil {
		return nil, err
	}
	return compile(s.base, source, chunk)
}

// LoadFile is Load for a file; a first line that starts with # is skipped.
func (s *State) LoadFile(path string) (*glua.LFunction, error) { return compileFile(s.base, path) }

// Close unwinds the coroutines that are left suspended and removes temporary files. No
// fiber may be using the state any more.
func (s *State) Close() {
	for r := s.live.first(); r != nil; r = s.live.first() {
		s.abandon(r)
	}
	s.pool.Close()
	s.base.Close()
}

// Current is the thread that executes now, or nil. A Go function that was called by Lua
// finds by it the fiber it runs on.
func (s *State) Current() *Thread {
	if t := s.current.thread; t != s.idle && t != s.bury {
		return t
	}
	return nil
}

// helper makes a thread that is no fiber's.
func (s *State) helper(c Carrier) *Thread {
	t := s.newThread(s.base.Env, false)
	t.carrier = c
	t.main.L, t.main.status = s.base, active
	return t
}

// newL makes a small gopher-lua thread that counts its instructions.
func (s *State) newL(env *glua.LTable) *glua.LState {
	L, _ := s.base.NewThread()
	L.Env = env
	s.meter.Attach(L)
	return L
}

// newMainL makes a thread of full size, for a main program.
func (s *State) newMainL(env *glua.LTable) *glua.LState {
	small := s.base.Options
	s.base.Options = s.meter.Full(s.config.MaxStack)
	defer func() { s.base.Options = small }()
	return s.newL(env)
}

// makeCurrent notes that r executes, here and for gopher-lua's own functions.
func (s *State) makeCurrent(r *routine) {
	s.current = r
	r.thread.top = r
	s.base.G.CurrentThread = r.L
}

// learnQuiet asks gopher-lua for its panic function without traceback, which it sets
// during protected calls and exports nowhere.
func (s *State) learnQuiet() {
	s.base.Push(s.base.NewFunction(func(L *glua.LState) int {
		s.quiet = L.Panic
		return 0
	}))
	if err := s.base.PCall(0, 0, nil); err != nil {
		panic(err)
	}
}
