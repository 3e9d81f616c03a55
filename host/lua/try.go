package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// Try calls a Lua function for the Go function that executes on L, and returns its results; an error that it
// raises is returned as a *glua.ApiError. It may wait. If the fiber is killed or cancelled, Try does not
// return. After an error the Go function has lost its arguments on the stack of L.
func (s *State) Try(L *glua.LState, fn *glua.LFunction, args ...glua.LValue) ([]glua.LValue, error) {
	top := L.GetTop()
	vm.Reserve(L, len(args)+1)
	L.Push(fn)
	for _, arg := range args {
		L.Push(arg)
	}
	if s.guard == nil {
		if err := L.PCall(len(args), glua.MultRet, nil); err != nil {
			return nil, err
		}
		return popped(L, top), nil
	}
	mark := s.guard.Enter(L)
	thrown := s.attempt(L, mark, func() { L.Call(len(args), glua.MultRet) })
	if thrown == nil {
		s.guard.Leave(L, mark)
		return popped(L, top), nil
	}
	err, ok := thrown.(*glua.ApiError)
	if !ok {
		err = failure(thrown, "")
	}
	if err.StackTrace == "" {
		err.StackTrace = s.trace(L)
	}
	s.guard.Unwind(L, mark)
	return nil, err
}

// popped takes the values above top from the stack.
func popped(L *glua.LState, top int) []glua.LValue {
	values := make([]glua.LValue, L.GetTop()-top)
	for i := range values {
		values[i] = L.Get(top + 1 + i)
	}
	L.SetTop(top)
	return values
}
