package lua

import glua "github.com/yuin/gopher-lua"

// collectCost is what a call of collectgarbage costs in steps.
const collectCost = 1000

// openBase replaces functions of the base library.
func (s *State) openBase() {
	s.library("_G", "error").GFunction = s.raise
	s.library("_G", "rawequal").GFunction = s.rawEqual
	s.library("_G", "collectgarbage").GFunction = s.collectGarbage
	s.openNumber(s.library("_G", "tonumber"))
}

func (s *State) rawEqual(L *glua.LState) int {
	x, y := L.CheckAny(1), L.CheckAny(2)
	if x, ok := x.(glua.LString); ok {
		if y, ok := y.(glua.LString); ok {
			return push(L, glua.LBool(s.meter.Equal(string(x), string(y))))
		}
	}
	return push(L, glua.LBool(x == y))
}

// collectGarbage ends the coroutines that cannot be resumed any more. It does not run Go's collector,
// which would stop the fibers of all programs of the process and takes time in proportion to their memory:
// that runs by itself.
func (s *State) collectGarbage(L *glua.LState) int {
	s.Charge(collectCost)
	s.sweep()
	return 0
}

// openNumber makes tonumber take no string that is too long to be a number.
func (s *State) openNumber(fn *glua.LFunction) {
	native := fn.GFunction
	fn.GFunction = func(L *glua.LState) int {
		if text, ok := L.Get(1).(glua.LString); ok {
			if len(text) > maxNumeral {
				return push(L, glua.LNil)
			}
			s.ChargeBytes(len(text))
		}
		return native(L)
	}
}
