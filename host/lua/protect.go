package lua

import (
	"math"
	"sync"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// openProtected replaces pcall and xpcall, if the internals of gopher-lua can be reached. After
// an error in gopher-lua's pcall, the functions that continue no longer share variables with
// the closures that they have made. After one in its xpcall, the closures of the functions that
// have ended refer to registers that are reused.
func (s *State) openProtected() {
	if s.guard = guard(); s.guard == nil {
		return
	}
	s.library("_G", "pcall").GFunction = s.pcall
	s.library("_G", "xpcall").GFunction = s.xpcall
}

// guard is the guard of all states, which it does not change; nil if it does not hold.
var guard = sync.OnceValue(func() *vm.Guard {
	s := &State{base: glua.NewState(), guard: vm.NewGuard(), meter: vm.New(vm.Best, 1, func() {})}
	s.meter.Left = math.MaxInt64
	defer s.base.Close()
	s.learnQuiet()
	if s.guard == nil || !s.guardHolds() {
		return nil
	}
	return s.guard
})

// guardHolds tests the guard: after an error in a protected call, a variable outside is still
// shared with its closure, and a variable inside has kept its value.
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
		return push(L, glua.LFalse, glua.LString("attempt to call a "+fn.Type().String()+" value"))
	}
	mark, nargs := s.guard.Enter(L), L.GetTop()-1
	if thrown := s.attempt(L, mark, func() { L.Call(nargs, glua.MultRet) }); thrown != nil {
		return s.failed(L, mark, thrown)
	}
	s.guard.Leave(L, mark)
	s.meter.ChargeValues(L.GetTop())
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
		s.meter.ChargeValues(L.GetTop())
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

// failed ends a protected call whose function has raised an error. The text of an error was made at
// least once from what the program has passed, such as a name or a mode, however long that is.
func (s *State) failed(L *glua.LState, mark vm.Mark, thrown any) int {
	s.guard.Unwind(L, mark)
	value := errorValue(thrown)
	if text, ok := value.(glua.LString); ok {
		s.ChargeBytes(len(text))
		s.Alloc(int64(len(text)))
	}
	return push(L, glua.LFalse, value)
}

// attempt makes a call and returns what it throws; the frames of the thread remain then. If the
// fiber is unwound, the Lua frames are removed as the Go stack is.
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
