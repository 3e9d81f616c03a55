package lua

import (
	"math"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// openRanges makes functions of gopher-lua refuse numbers that Go functions fail with.
func (s *State) openRanges() {
	s.guarded(glua.MathLibName, "random", checkRandom)
	s.guarded(glua.DebugLibName, "getlocal", checkLocal)
	s.guarded(glua.DebugLibName, "setlocal", checkLocal)
	s.guarded(glua.IoLibName, "read", checkFormats(1))
	methods := s.base.GetTypeMetatable(fileClass)
	checked(s.base.GetField(methods, "read"), checkFormats(2))
}

func (s *State) guarded(lib, name string, check func(*glua.LState)) {
	checked(s.library(lib, name), check)
}

// checked makes a function call check first.
func checked(fn glua.LValue, check func(*glua.LState)) {
	f := fn.(*glua.LFunction)
	native := f.GFunction
	f.GFunction = func(L *glua.LState) int {
		check(L)
		return native(L)
	}
}

// checkRandom refuses an interval without numbers, and one whose size is no integer.
func checkRandom(L *glua.LState) {
	if L.GetTop() == 0 {
		return
	}
	arg, low, high := 1, glua.LNumber(1), L.CheckNumber(1)
	if L.GetTop() > 1 {
		arg, low, high = 2, high, L.CheckNumber(2)
	}
	low, high = glua.LNumber(math.Trunc(float64(low))), glua.LNumber(math.Trunc(float64(high)))
	switch {
	case !(low <= high):
		L.ArgError(arg, "interval is empty")
	case low < -1<<53 || high > 1<<53:
		L.ArgError(arg, "interval too large")
	}
}

// checkLocal refuses the number of a local variable that no function has, for which gopher-lua
// looks below the function on the stack.
func checkLocal(L *glua.LState) {
	if n := L.CheckNumber(2); !(n >= 1 && n <= math.MaxInt32) {
		L.Replace(2, glua.LNumber(math.MaxInt32))
	}
}

// checkFormats refuses a read of more than maxString, and the formats that gopher-lua fails with.
func checkFormats(first int) func(*glua.LState) {
	return func(L *glua.LState) {
		for i := first; i <= L.GetTop(); i++ {
			switch format := L.Get(i).(type) {
			case glua.LNumber:
				if !(format >= 0 && format <= maxString) {
					L.ArgError(i, "invalid number of bytes")
				}
			case glua.LString:
				if !strings.HasPrefix(string(format), "*") {
					L.ArgError(i, "invalid format")
				}
			}
		}
	}
}
