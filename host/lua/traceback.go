package lua

import glua "github.com/yuin/gopher-lua"

// traceback is debug.traceback, and knows handles. The LState of a coroutine that has yielded or
// failed still has the frame of yield or error on top, which a thread of gopher-lua has not.
func (s *State) traceback(L *glua.LState) int {
	shown, level := L, L.OptInt(2, 1)
	s.meter.ChargeStrings(L, L.GetTop())
	s.Charge(longTrace)
	if handle, ok := L.Get(1).(*glua.LState); ok {
		if r := routineOf(handle); r != nil {
			if r.status == suspended || r.fault != nil {
				level++
			}
			if shown = r.L; shown == nil {
				shown = s.anchor // a thread without frames
			}
			L.SetTop(2)
			L.Replace(1, shown)
			L.Replace(2, glua.LNumber(level))
		}
	}
	if !s.isLong(shown, level) {
		return s.native.traceback(L)
	}
	trace := s.shortTrace(shown, level)
	if message, ok := L.Get(1).(glua.LString); ok && message != "" {
		trace = string(message) + "\n" + trace
	}
	return push(L, glua.LString(trace))
}

// trace is the traceback of a failed thread.
func (s *State) trace(L *glua.LState) string {
	if s.isLong(L, 0) {
		return s.shortTrace(L, 0)
	}
	defer s.anchor.SetTop(0)
	s.anchor.Push(L)
	s.anchor.Push(glua.LNumber(0))
	s.native.traceback(s.anchor)
	return s.anchor.Get(-1).String()
}
