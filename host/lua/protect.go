package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// openProtected replaces pcall and xpcall, if gopher-lua's internals can be reached. Its
// own cut the functions that go on off from the closures they made before (pcall), and
// leave those of the functions that ended with variables that are overwritten (xpcall).
func (s *State) openProtected() {
	if s.guard = vm.NewGuard(); s.guard == nil {
		return
	}
	if !s.guardHolds() {
		s.guard = nil
		return
	}
	s.library("_G", "pcall").GFunction = s.pcall
	s.library("_G", "xpcall").GFunction = s.xpcall
}

// guardHolds tries the guard: a variable is one with its closure's when a call inside
// has failed, and is kept when its own function has.
func (s *State) guardHolds() (ok bool) {
	fn, err := s.base.LoadString(`
		local pcall = ...
		local n, last = 0, nil
		local function inc() n = n + 1 end
		inc()
		pcall(function()
			local m = n
			last = function() m = m + 1 return m end
			pcall(error)
			m = m + 1
			local _ = nil + 1
		end)
		inc()
		return n == 2 and last() == 3`)
	if err != nil {
		return false
	}
	L, _ := s.base.NewThread()
	L.Push(fn)
	L.Push(L.NewFunction(s.pcall))
	defer func() { ok = ok && recover() == nil }()
	L.Call(1, 1)
	return L.Get(-1) == glua.LTrue
}

func (s *State) pcall(L *glua.LState) int {
	fn := L.CheckAny(1)
	if fn.Type() != glua.LTFunction && L.GetMetaField(fn, "__call").Type() != glua.LTFunction {
		L.Push(glua.LFalse)
		L.Push(glua.LString("attempt to call a " + fn.Type().String() + " value"))
		return 2
	}
	mark, nargs := s.guard.Enter(L), L.GetTop()-1
	if thrown := s.attempt(L, mark, func() { L.Call(nargs, glua.MultRet) }); thrown != nil {
		return s.failed(L, mark, thrown)
	}
	s.guard.Leave(L, mark)
	L.Insert(glua.LTrue, 1)
	return L.GetTop()
}

func (s *State) xpcall(L *glua.LState) int {
	fn, handler := L.CheckFunction(1), L.CheckFunction(2)
	L.SetTop(0)
	L.Push(fn)
	mark := s.guard.Enter(L)
	thrown := s.attempt(L, mark, func() { L.Call(0, glua.MultRet) })
	if thrown == nil {
		s.guard.Leave(L, mark)
		L.Insert(glua.LTrue, 1)
		return L.GetTop()
	}
	var handled glua.LValue
	failed := s.attempt(L, mark, func() {
		L.Push(handler) // above the frames of the call that failed, for it to look at
		L.Push(errorValue(thrown))
		L.Call(1, 1)
		handled = L.Get(-1)
	})
	if failed == nil {
		failed = &glua.ApiError{Object: handled}
	}
	return s.failed(L, mark, failed)
}

// failed ends a protected call whose function has thrown.
func (s *State) failed(L *glua.LState, mark vm.Mark, thrown any) int {
	s.guard.Unwind(L, mark)
	L.Push(glua.LFalse)
	L.Push(errorValue(thrown))
	return 2
}

// attempt does a call and returns what it throws. The thread is left as it is then. If
// the fiber is unwound, the Lua frames go with the Go stack.
func (s *State) attempt(L *glua.LState, mark vm.Mark, call func()) (thrown any) {
	returned, loud := false, L.Panic
	L.Panic = s.quiet
	defer func() {
		L.Panic = loud
		if returned {
			return
		}
		if thrown = recover(); thrown == nil {
			s.guard.Unwind(L, mark)
		}
	}()
	call()
	returned = true
	return nil
}
