package lua

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	glua "github.com/yuin/gopher-lua"
)

// The thread value that a program holds for a coroutine is a handle: an LState that never runs
// and only knows its routine. Programs never see the LState that runs. So when a program drops
// its last reference to a suspended coroutine, the handle becomes garbage, although the suspended
// stack refers to the running LState; the collector reports it, and the stack is unwound. As in
// plain Lua, a coroutine that cannot be resumed costs nothing.

// owner is the context of a handle. It leads from the handle to its routine.
type owner struct {
	context.Context
	routine *routine
}

func (s *State) newCoroutine(fn *glua.LFunction, env *glua.LTable) *glua.LState {
	s.meter.Alloc(routineBytes)
	r := &routine{fn: fn}
	handle := &glua.LState{G: s.base.G, Env: env}
	handle.SetContext(&owner{context.Background(), r})
	r.handle = weak.Make(handle)
	return handle
}

// routineOf is the routine of a handle; nil for an LState that is not a handle.
func routineOf(th *glua.LState) *routine {
	if o, ok := th.Context().(*owner); ok {
		return o.routine
	}
	return nil
}

// unreachable is the routines whose handles were collected. The goroutine of the collector adds
// them; the owner of the State takes them in sweep.
type unreachable struct {
	any      atomic.Bool
	mu       sync.Mutex
	routines []*routine
}

func (u *unreachable) add(r *routine) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.routines = append(u.routines, r)
	u.any.Store(true)
}

func (u *unreachable) take() []*routine {
	if !u.any.Load() {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.routines
	u.routines = nil
	u.any.Store(false)
	return taken
}

func (s *State) watch(r *routine, handle *glua.LState) {
	r.watched = true
	runtime.AddCleanup(handle, s.unreachable.add, r)
}

// sweep unwinds the coroutines that cannot be resumed any more. The owner of the State calls it
// when a fiber ends and when a coroutine starts.
func (s *State) sweep() {
	for _, r := range s.unreachable.take() {
		if r.status == suspended {
			s.abandon(r)
		}
	}
}

// abandon unwinds a suspended coroutine. Its Go defers run; none of its Lua code does.
func (s *State) abandon(r *routine) {
	from, left, granted, payer := s.current, s.meter.Left, s.granted, s.payer
	r.thread = s.unwinder
	s.makeCurrent(r)
	s.meter.Left, s.granted, s.payer = 0, 0, nil
	r.stack.Close()
	s.makeCurrent(from)
	s.meter.Left, s.granted, s.payer = left, granted, payer // the time of a collection must not change a time slice
	r.status, r.thread, r.L = dead, nil, nil
	s.live.Remove(r.element)
}
