package lua

import (
	"strings"
	"sync"

	glua "github.com/yuin/gopher-lua"
)

// maxNumeral is the most bytes of a string that is taken for a number.
const maxNumeral = 1 << 12

// maxOptions is the most bytes of the options of debug.getinfo.
const maxOptions = 32

// A function of a library takes constant time, or it pays for its work itself, or what it does takes time
// in proportion to the bytes of its arguments and results: then openCosts makes it pay for them. That
// is so for every function which is not listed here.
//
// The values that a call passes are paid for by the instruction.

// constant are the functions that take constant time whatever their arguments are.
const constant = `assert getmetatable ipairs newproxy pairs setmetatable tostring type
	coroutine.create coroutine.running coroutine.status coroutine.wrap
	debug.getmetatable debug.setmetatable debug.getupvalue debug.setupvalue debug.getfenv debug.setfenv
	io.type string.dump string.len string.sub`

// paying are the functions that pay for their work themselves.
const paying = `collectgarbage dofile error load loadfile loadstring next pcall print rawequal rawget rawset require select
	tonumber unpack xpcall coroutine.resume coroutine.yield debug.traceback
	string.byte string.find string.format string.gfind string.gmatch string.gsub string.lower string.match
	string.rep string.reverse string.upper
	table.concat table.getn table.insert table.maxn table.remove table.sort`

// ofNumbers are functions of numbers, which take a string for one.
const ofNumbers = `math.abs math.acos math.asin math.atan math.atan2 math.ceil math.cos math.cosh math.deg math.exp math.floor
	math.fmod math.frexp math.ldexp math.log math.log10 math.max math.min math.mod math.modf math.pow math.rad
	math.random math.randomseed math.sin math.sinh math.sqrt math.tan math.tanh`

// ofLevels are functions that look for a level of the stack.
const ofLevels = `getfenv setfenv debug.getinfo debug.getlocal debug.setlocal`

// cost is how a function is made to pay.
type cost uint8

const (
	byBytes cost = iota
	byItself
	byNumbers
	byLevel
)

// price is the cost of a function of a library.
type price struct {
	library, name string
	cost          cost
}

// prices are those of all functions that openCosts changes. They never change.
var prices = sync.OnceValue(func() (all []price) {
	known := map[string]cost{}
	for list, c := range map[string]cost{constant: byItself, paying: byItself, ofNumbers: byNumbers, ofLevels: byLevel} {
		for _, path := range strings.Fields(list) {
			known[path] = c
		}
	}
	state := glua.NewState()
	defer state.Close()
	for _, l := range libraries() {
		prefix := l.globals()
		if prefix != "" {
			prefix += "."
		}
		for _, key := range libraryKeys()[l.name] {
			if c := known[prefix+key]; c != byItself && l.table(state).RawGetString(key).Type() == glua.LTFunction {
				all = append(all, price{l.globals(), key, c})
			}
		}
	}
	return all
})

// openCosts makes the functions that do not pay for their work pay for the bytes that they take and
// return.
func (s *State) openCosts() {
	for _, p := range prices() {
		table := s.base.G.Global
		if p.library != "" {
			table, _ = table.RawGetString(p.library).(*glua.LTable)
		}
		fn, ok := table.RawGetString(p.name).(*glua.LFunction)
		switch {
		case !ok: // it was left out
		case p.cost == byNumbers:
			s.takesNumbers(fn)
		case p.cost == byLevel:
			s.looksForLevel(fn)
		default:
			fn.GFunction = s.Paying(fn.GFunction)
		}
	}
	s.base.GetTypeMetatable(fileClass).(*glua.LTable).ForEach(func(_, v glua.LValue) {
		if fn, ok := v.(*glua.LFunction); ok {
			fn.GFunction = s.Paying(fn.GFunction)
		}
	})
}

// Paying makes a Go function pay for the bytes of its arguments before it executes, and for those of its
// results: for a function that takes time in proportion to them.
func (s *State) Paying(fn glua.LGFunction) glua.LGFunction {
	return func(L *glua.LState) int {
		s.meter.ChargeStrings(L, L.GetTop())
		n := fn(L)
		if n > 0 {
			s.meter.ChargeStrings(L, n)
		}
		return n
	}
}

// PayingInSlice is Paying for a function with an effect that must not be lost with its results, such as a
// read, if the fiber is cancelled: for them it pays at most the rest of the time slice.
func (s *State) PayingInSlice(fn glua.LGFunction) glua.LGFunction {
	return func(L *glua.LState) int {
		s.meter.ChargeStrings(L, L.GetTop())
		n := fn(L)
		if n > 0 {
			s.meter.ChargeResults(L, n)
		}
		return n
	}
}

// takesNumbers makes a function refuse a string that is too long to be a number.
func (s *State) takesNumbers(fn *glua.LFunction) {
	native := fn.GFunction
	fn.GFunction = func(L *glua.LState) int {
		top := L.GetTop()
		s.meter.ChargeValues(top)
		for i := 1; i <= top; i++ {
			if text, ok := L.Get(i).(glua.LString); ok {
				if len(text) > maxNumeral {
					L.TypeError(i, glua.LTNumber)
				}
				s.ChargeBytes(len(text))
			}
		}
		return native(L)
	}
}

// looksForLevel makes a function of debug pay for the calls that it passes over.
func (s *State) looksForLevel(fn *glua.LFunction) {
	native := fn.GFunction
	fn.GFunction = func(L *glua.LState) int {
		if level, ok := L.Get(1).(glua.LNumber); ok && level > 1 {
			s.meter.ChargeValues(int(min(level, glua.LNumber(s.config.MaxDepth))))
		}
		if what, ok := L.Get(2).(glua.LString); ok && len(what) > maxOptions {
			L.ArgError(2, "invalid option")
		}
		return native(L)
	}
}
