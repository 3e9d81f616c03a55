package lua

import (
	"runtime"

	glua "github.com/yuin/gopher-lua"
)

// maxNesting is how deep resumes of coroutines may be nested, as in PUC Lua 5.1.
const maxNesting = 200

// openCoroutine replaces the functions of the library coroutine. gopher-lua's fail when a yield
// crosses a Go function (pcall, a metamethod, table.sort), because they implement a yield by a
// return from the interpreter. These switch stacks.
func (s *State) openCoroutine() {
	lib := s.base.GetGlobal(glua.CoroutineLibName).(*glua.LTable)
	for name, fn := range map[string]glua.LGFunction{
		"create": s.coCreate, "resume": s.coResume, "running": s.coRunning,
		"status": s.coStatus, "wrap": s.coWrap, "yield": s.coYield,
	} {
		lib.RawSetString(name, s.base.NewFunction(fn))
	}
}

func (s *State) coCreate(L *glua.LState) int {
	return push(L, s.newCoroutine(L.CheckFunction(1), L.Env))
}

func (s *State) coWrap(L *glua.LState) int {
	handle := s.newCoroutine(L.CheckFunction(1), L.Env)
	return push(L, L.NewClosure(s.callWrapped, handle))
}

func (s *State) coResume(L *glua.LState) int {
	handle := L.CheckThread(1)
	r := routineOf(handle)
	if r == nil {
		return s.native.resume(L)
	}
	s.meter.ChargeValues(L.GetTop())
	if why := s.refusal(r); why != "" {
		return push(L, glua.LFalse, glua.LString(why))
	}
	s.switchTo(r, handle, L, L.GetTop()-1)
	top := L.GetTop()
	if r.fault != nil {
		return push(L, glua.LFalse, r.fault)
	}
	L.Push(glua.LTrue)
	r.moveResults(s, L)
	return L.GetTop() - top
}

func (s *State) callWrapped(L *glua.LState) int {
	handle := L.Get(glua.UpvalueIndex(1)).(*glua.LState)
	r := routineOf(handle)
	s.meter.ChargeValues(L.GetTop())
	if why := s.refusal(r); why != "" {
		L.RaiseError("%s", why)
	}
	s.switchTo(r, handle, L, L.GetTop())
	if r.fault != nil {
		L.Error(r.fault, 0)
	}
	top := L.GetTop()
	r.moveResults(s, L)
	return L.GetTop() - top
}

// coYield leaves its arguments on the Lua stack, where moveResults finds them. The arguments of
// the next resume are in the same place when coYield continues.
func (s *State) coYield(L *glua.LState) int {
	r := s.current
	if r.L != L {
		return -1 // a thread that Go code runs with LState.Resume
	}
	if r.stack == nil {
		L.RaiseError("can not yield from outside of a coroutine")
	}
	s.meter.ChargeValues(L.GetTop())
	r.status = suspended
	L.Parent = nil
	r.stack.Suspend()
	return L.GetTop()
}

func (s *State) coRunning(L *glua.LState) int {
	r := s.current
	switch {
	case r.L != L:
		return s.native.running(L)
	case r.stack == nil:
		L.Push(glua.LNil)
	default:
		L.Push(r.handle.Value())
	}
	return 1
}

func (s *State) coStatus(L *glua.LState) int {
	r := routineOf(L.CheckThread(1))
	if r == nil {
		return s.native.status(L)
	}
	return push(L, glua.LString(s.statusOf(r)))
}

func (s *State) statusOf(r *routine) string {
	switch {
	case r.status == dead:
		return "dead"
	case r.status != active:
		return "suspended"
	case r == s.current:
		return "running"
	}
	return "normal"
}

// refusal is why r cannot be resumed now; "" if it can.
func (s *State) refusal(r *routine) string {
	switch {
	case r.status == dead || r.status == active:
		return "can not resume a " + s.statusOf(r) + " thread"
	case s.current.depth >= maxNesting:
		return "C stack overflow"
	}
	return ""
}

// switchTo moves the last nargs values of L to r and runs it until it yields or ends.
func (s *State) switchTo(r *routine, handle, L *glua.LState, nargs int) {
	from := s.current
	if r.status == fresh {
		s.start(r, handle.Env, nargs)
	}
	r.L.Env = handle.Env
	s.meter.SetContext(r.L, from.thread.context)
	move(L, r.L, nargs)
	r.L.Parent = s.anchor
	r.status, r.thread, r.resumer, r.depth = active, from.thread, from, from.depth+1

	s.makeCurrent(r)
	ended := r.stack.Resume()
	if s.memory != nil {
		s.memory.registersGrew(r)
	}
	s.makeCurrent(from)

	r.thread, r.resumer = nil, nil
	handle.Env = r.L.Env
	if ended {
		s.ended(r)
	} else if !r.watched {
		s.watch(r, handle)
	}
	runtime.KeepAlive(handle)
}

func (s *State) start(r *routine, env *glua.LTable, nargs int) {
	s.sweep()
	s.meter.Alloc(stackBytes + routineBytes)
	r.L = s.newL(r, env)
	r.L.Panic = s.quiet
	r.L.Push(r.fn)
	r.fn, r.nargs, r.status = nil, nargs, suspended
	r.stack = s.pool.New(r.body)
	r.element = s.live.PushBack(r)
}

// ended records the end of r. If r was unwound, because its fiber is or because Go code in it
// called runtime.Goexit, its resumer is unwound too.
func (s *State) ended(r *routine) {
	r.status = dead
	r.L.Parent = nil
	s.live.Remove(r.element)
	if r.stack.Err() != nil {
		runtime.Goexit()
	}
}
