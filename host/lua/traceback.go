package lua

import glua "github.com/yuin/gopher-lua"

// traceback is debug.traceback for programs that hold handles. The running LState of a
// coroutine that yielded or failed still has the frame of yield or error on top, where
// gopher-lua has removed it.
func (s *State) traceback(L *glua.LState) int {
	handle, ok := L.Get(1).(*glua.LState)
	if !ok {
		return s.stock.traceback(L)
	}
	r := routineOf(handle)
	if r == nil {
		return s.stock.traceback(L)
	}
	level := L.OptInt(2, 1)
	if r.status == suspended || r.fault != nil {
		level++
	}
	shown := r.L
	if shown == nil {
		shown = s.anchor // has no frames either
	}
	L.SetTop(2)
	L.Replace(1, shown)
	L.Replace(2, glua.LNumber(level))
	return s.stock.traceback(L)
}

// trace is the traceback of a thread that has failed.
func (s *State) trace(L *glua.LState) string {
	defer s.anchor.SetTop(0)
	s.anchor.Push(L)
	s.anchor.Push(glua.LNumber(0))
	s.stock.traceback(s.anchor)
	return s.anchor.Get(-1).String()
}
