package lua

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	glua "github.com/yuin/gopher-lua"
)

// The thread value that a program holds for a coroutine is a handle: an LState that
// never runs and only knows its routine. The LState that runs is never seen. So when the
// program drops a suspended coroutine, the handle becomes garbage although the parked
// stack refers to the running LState, and the stack can be unwound. In plain Lua too, a
// coroutine that nobody can resume costs nothing.

// owner is the context of a handle.
type owner struct {
	context.Context
	routine *routine
}

func (s *State) newCoroutine(fn *glua.LFunction, env *glua.LTable) *glua.LState {
	r := &routine{fn: fn}
	handle := &glua.LState{G: s.base.G, Env: env}
	handle.SetContext(&owner{context.Background(), r})
	r.handle = weak.Make(handle)
	return handle
}

// routineOf is the routine behind a handle, nil for an LState that is none.
func routineOf(th *glua.LState) *routine {
	if o, ok := th.Context().(*owner); ok {
		return o.routine
	}
	return nil
}

// graveyard takes the routines whose handles are gone, on the collector's goroutine,
// until the state has a moment for them.
type graveyard struct {
	any      atomic.Bool
	mu       sync.Mutex
	routines []*routine
}

func (g *graveyard) add(r *routine) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.routines = append(g.routines, r)
	g.any.Store(true)
}

func (g *graveyard) take() []*routine {
	if !g.any.Load() {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	taken := g.routines
	g.routines = nil
	g.any.Store(false)
	return taken
}

func (s *State) watch(r *routine, handle *glua.LState) {
	r.watched = true
	runtime.AddCleanup(handle, s.lost.add, r)
}

// sweep unwinds the coroutines that nobody can resume any more.
func (s *State) sweep() {
	for _, r := range s.lost.take() {
		if r.status == suspended {
			s.abandon(r)
		}
	}
}

// abandon unwinds a suspended coroutine. Its Go defers run; none of its Lua code does.
func (s *State) abandon(r *routine) {
	from, left := s.current, s.meter.Left
	r.thread = s.bury
	s.makeCurrent(r)
	s.meter.Left = 0
	r.stack.Close()
	s.makeCurrent(from)
	s.meter.Left = left // when the collector runs must not change a fiber's slice
	r.status, r.thread, r.L = dead, nil, nil
	s.live.remove(r)
}
