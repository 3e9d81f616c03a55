//go:build !purego

package vm

import (
	"fmt"

	glua "github.com/yuin/gopher-lua"
)

// NameOf is how the program calls a place that the current instruction of L accesses.
func (m *Meter) NameOf(L *glua.LState, place any) string {
	cf := *m.direct.place.currentFrame(L)
	f := naming{m, L, cf}
	switch place := place.(type) {
	case *glua.Upvalue:
		return f.upvalue(place)
	case Slot:
		return keyed(f.table(place.Of), place.Key)
	case Keys:
		return "the keys of " + f.table(place.Of)
	case Meta:
		return "the metatable of " + f.table(place.Of)
	}
	return ""
}

type naming struct {
	m  *Meter
	L  *glua.LState
	cf *frame
}

// keyed is the name of a key of a table; "" is the globals.
func keyed(table string, key glua.LValue) string {
	name, ok := key.(glua.LString)
	switch {
	case ok && table == "":
		return string(name)
	case ok:
		return table + "." + string(name)
	}
	return fmt.Sprintf("%s[%v]", table, key)
}

const unknownTable = "a table"

// table is the name of the table that the instruction, or a library function, accesses; "" is the globals.
func (f naming) table(t *glua.LTable) string {
	if f.cf.Fn.IsG {
		caller := f.cf.Parent
		if caller == nil || caller.Fn.IsG {
			return unknownTable
		}
		return f.argument(caller, t)
	}
	if t == f.cf.Fn.Env {
		return ""
	}
	inst := f.cf.Fn.Proto.Code[f.cf.Pc-1]
	register := -1
	switch int(inst >> opcodeShift) {
	case glua.OP_GETTABLE, glua.OP_GETTABLEKS, glua.OP_SELF, glua.OP_LEN:
		register = b(inst)
	case glua.OP_SETTABLE, glua.OP_SETTABLEKS:
		register = a(inst)
	}
	_, registers := f.m.direct.place.executing(f.L)
	if register < 0 || registers[register] != t {
		return unknownTable
	}
	return f.register(f.cf, register, f.cf.Pc-1)
}

// argument is the name of the first argument of a call that executes.
func (f naming) argument(caller *frame, t *glua.LTable) string {
	if first, ok := f.L.Get(1).(*glua.LTable); !ok || first != t {
		return unknownTable
	}
	call := caller.Fn.Proto.Code[caller.Pc-1]
	if int(call>>opcodeShift) != glua.OP_CALL {
		return unknownTable
	}
	return f.register(caller, a(call)+1, caller.Pc-1)
}

// register is the name of what a register has at an instruction: of the local variable, or of what was
// loaded last.
func (f naming) register(cf *frame, register, pc int) string {
	if name, ok := cf.Fn.LocalName(register+1, pc); ok {
		return name
	}
	for i := pc - 1; i >= max(pc-loadedWithin, 0); i-- {
		inst := cf.Fn.Proto.Code[i]
		if a(inst) != register {
			continue
		}
		switch int(inst >> opcodeShift) {
		case glua.OP_GETUPVAL:
			return upvalueName(cf.Fn, b(inst))
		case glua.OP_GETGLOBAL:
			return cf.Fn.Proto.Constants[inst&0x3ffff].String()
		case glua.OP_MOVE:
			return f.register(cf, b(inst), i)
		}
		break
	}
	return unknownTable
}

// loadedWithin is how far before its use a table is looked for.
const loadedWithin = 8

func upvalueName(fn *glua.LFunction, i int) string {
	if i < len(fn.Proto.DbgUpvalues) {
		return fn.Proto.DbgUpvalues[i]
	}
	return "a variable"
}

// upvalue is the name of a variable that the function has as an upvalue, or that is its own.
func (f naming) upvalue(uv *glua.Upvalue) string {
	if f.cf.Fn.IsG {
		return "a variable"
	}
	for i, one := range f.cf.Fn.Upvalues {
		if one == uv {
			return upvalueName(f.cf.Fn, i)
		}
	}
	register := f.m.registerOf(uv) - f.cf.LocalBase
	for _, pc := range [...]int{f.cf.Pc, f.cf.Pc - 1} { // the last instruction of a block is its end
		if name, ok := f.cf.Fn.LocalName(register+1, pc); ok {
			return name
		}
	}
	return "a variable"
}
