//go:build !purego

package vm

import glua "github.com/yuin/gopher-lua"

// NameFunctions calls name with each function that is defined in the code and the name that it is defined with,
// such as "f" or "t.f"; "" if it has none. It ends when name returns false.
func NameFunctions(code *glua.FunctionProto, name func(of *glua.FunctionProto, name string) bool) {
	nameInner(code, name)
}

func nameInner(p *glua.FunctionProto, name func(*glua.FunctionProto, string) bool) bool {
	f := naming{cf: &frame{Fn: &glua.LFunction{Proto: p}}}
	for pc, inst := range p.Code {
		if int(inst>>opcodeShift) != glua.OP_CLOSURE {
			continue
		}
		if inner := p.FunctionPrototypes[inst&0x3ffff]; !name(inner, f.defined(pc, inst, inner)) || !nameInner(inner, name) {
			return false
		}
	}
	return true
}

// defined is the name of the function that the closure at an instruction is of: of what it is stored in next,
// or of the local variable.
func (f naming) defined(pc int, closure uint32, inner *glua.FunctionProto) string {
	p, register := f.cf.Fn.Proto, a(closure)
	if after := pc + 1 + int(inner.NumUpvalues); after < len(p.Code) {
		switch next := p.Code[after]; {
		case int(next>>opcodeShift) == glua.OP_SETGLOBAL && a(next) == register:
			return p.Constants[next&0x3ffff].String()
		case (int(next>>opcodeShift) == glua.OP_SETTABLEKS || int(next>>opcodeShift) == glua.OP_SETTABLE) && c(next) == register:
			return f.field(next, after)
		}
	}
	if name := captured(p, register, pc); name != "" {
		return name
	}
	name, _ := f.cf.Fn.LocalName(register+1, pc+1)
	return name
}

// field is the name of a field that an instruction assigns to, behind that of its table if it has one.
func (f naming) field(inst uint32, pc int) string {
	key := b(inst)
	if key < 1<<8 {
		loaded, ok := f.loaded(key, pc)
		if !ok || int(loaded>>opcodeShift) != glua.OP_LOADK {
			return ""
		}
		return f.in(f.holder(a(inst), pc), f.cf.Fn.Proto.Constants[loaded&0x3ffff])
	}
	return f.in(f.holder(a(inst), pc), f.cf.Fn.Proto.Constants[key&0xff])
}

func (naming) in(table string, key glua.LValue) string {
	name, ok := key.(glua.LString)
	if !ok || table == "" {
		return string(name)
	}
	return table + "." + string(name)
}

// holder is the name of the table in a register; "" if it has none.
func (f naming) holder(register, pc int) string {
	inst, ok := f.loaded(register, pc)
	if key := c(inst); ok && int(inst>>opcodeShift) == glua.OP_GETTABLEKS && key >= 1<<8 {
		return f.in(f.holder(b(inst), pc-1), f.cf.Fn.Proto.Constants[key&0xff])
	}
	if ok && int(inst>>opcodeShift) == glua.OP_NEWTABLE {
		name, _ := f.cf.Fn.LocalName(register+1, pc)
		return name
	}
	if name := f.register(f.cf, register, pc); name != unknownTable {
		return name
	}
	return ""
}

// loaded is the last instruction before pc whose result is in the register, if it is near.
func (f naming) loaded(register, pc int) (inst uint32, ok bool) {
	for i := pc - 1; i >= max(pc-loadedWithin, 0); i-- {
		if inst := f.cf.Fn.Proto.Code[i]; a(inst) == register && int(inst>>opcodeShift) != glua.OP_MOVE {
			return inst, true
		}
	}
	return 0, false
}
