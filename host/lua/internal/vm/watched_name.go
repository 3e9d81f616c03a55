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
	case table == unknownTable:
		return fmt.Sprintf("%v of %s", key, table)
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

// register is the name of what a register has at an instruction: of what was loaded last, or of the local
// variable.
func (f naming) register(cf *frame, register, pc int) string {
	for i := pc - 1; i >= max(pc-loadedWithin, 0); i-- {
		inst := cf.Fn.Proto.Code[i]
		if a(inst) != register {
			continue
		}
		switch int(inst >> opcodeShift) {
		case glua.OP_GETUPVAL:
			return upvalueName(cf.Fn.Proto, b(inst))
		case glua.OP_GETGLOBAL:
			return cf.Fn.Proto.Constants[inst&0x3ffff].String()
		case glua.OP_MOVE:
			return f.register(cf, b(inst), i)
		}
	}
	if name := captured(cf.Fn.Proto, register, pc); name != "" {
		return name
	}
	if name, ok := cf.Fn.LocalName(register+1, pc); ok {
		return name
	}
	return unknownTable
}

// loadedWithin is how far before its use a table is looked for.
const loadedWithin = 8

func upvalueName(p *glua.FunctionProto, i int) string {
	if i < len(p.DbgUpvalues) {
		return p.DbgUpvalues[i]
	}
	return ""
}

// upvalue is the name of a variable that the function has as an upvalue, or that is its own.
func (f naming) upvalue(uv *glua.Upvalue) string {
	for i, one := range f.cf.Fn.Upvalues {
		if one == uv && !f.cf.Fn.IsG {
			return upvalueName(f.cf.Fn.Proto, i)
		}
	}
	if !f.cf.Fn.IsG {
		return captured(f.cf.Fn.Proto, registerOf(uv)-f.cf.LocalBase, f.cf.Pc)
	}
	return ""
}

// captured is the name of the variable in a register by the last closure before an instruction, or the
// first after it, that has it. gopher-lua's own list of local variables is wrong after a block.
func captured(p *glua.FunctionProto, register, pc int) (name string) {
	for i, inst := range p.Code {
		if int(inst>>opcodeShift) != glua.OP_CLOSURE || i > pc && name != "" {
			continue
		}
		inner := p.FunctionPrototypes[inst&0x3ffff]
		for n, of := range p.Code[i+1 : i+1+int(inner.NumUpvalues)] {
			if int(of>>opcodeShift) == glua.OP_MOVE && b(of) == register {
				name = upvalueName(inner, n)
			}
		}
	}
	return name
}
