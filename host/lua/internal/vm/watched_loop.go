//go:build !purego

package vm

import (
	"unsafe"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/internal/race"
)

// runWatched is run, and reports the accesses of each instruction before it executes. It is a loop of its
// own because a test in the other one would cost each program.
func (t *thread) runWatched(L *glua.LState, base *frame) {
	m := t.meter
	current, execute := m.direct.place.currentFrame(L), m.direct.execute
	outer, frames := t.base, len(m.direct.place.callsOf(L).array)
	t.base = base
	t.nested++
	defer t.leave(L, outer)
	if cf := *current; cf.Idx >= frames-pushed {
		t.grow(L)
	}
	if t.nested > maxNested {
		overflow(L, *current, "C stack overflow")
	}
	if (*current).Fn.IsG {
		m.direct.native(L, t.base)
		t.shrink(L, frames)
		return
	}
	for {
		cf := *current
		inst := cf.Fn.Proto.Code[cf.Pc]
		cf.Pc++
		if m.Left--; m.Left < 0 {
			m.expire()
		}
		m.watched.report(func(l *Accesses) { l.instruction(L, cf, inst) })
		if next := execute[inst>>opcodeShift](L, inst, t.base); next != 0 {
			if next != callLater {
				t.shrink(L, frames)
				return
			}
			cf.Pc--
			m.Left++
			t.grow(L)
		}
	}
}

// operands are the accesses of one instruction.
type operands struct {
	*Accesses
	L         *glua.LState
	frame     *frame
	registers []glua.LValue
}

// instruction adds the accesses of an instruction: to tables, to upvalues, and to local variables that
// closures have as upvalues. Registers that are certain to have no variable are left out.
func (l *Accesses) instruction(L *glua.LState, cf *frame, inst uint32) {
	_, registers := l.m.direct.place.executing(L)
	o := operands{l, L, cf, registers}
	o.locals(inst)
	switch int(inst >> opcodeShift) {
	case glua.OP_GETUPVAL:
		l.add(cf.Fn.Upvalues[b(inst)], race.Read)
	case glua.OP_SETUPVAL:
		l.add(cf.Fn.Upvalues[b(inst)], race.Write)
	case glua.OP_GETGLOBAL:
		l.index(cf.Fn.Env, cf.Fn.Proto.Constants[inst&0x3ffff])
	case glua.OP_SETGLOBAL:
		l.newIndex(cf.Fn.Env, cf.Fn.Proto.Constants[inst&0x3ffff], registers[a(inst)])
	case glua.OP_GETTABLE, glua.OP_GETTABLEKS, glua.OP_SELF:
		l.index(registers[b(inst)], value(cf, registers, c(inst)))
	case glua.OP_SETTABLE, glua.OP_SETTABLEKS:
		l.newIndex(registers[a(inst)], value(cf, registers, b(inst)), value(cf, registers, c(inst)))
	case glua.OP_LEN:
		if t, ok := registers[b(inst)].(*glua.LTable); ok && L.GetMetaField(t, "__len") == glua.LNil {
			l.Length(t)
		}
	}
}

// locals adds the registers of an instruction that are variables of closures.
func (o operands) locals(inst uint32) {
	if o.m.direct.place.firstOpen(o.L) == nil {
		return
	}
	switch int(inst >> opcodeShift) {
	case glua.OP_MOVE, glua.OP_UNM, glua.OP_NOT, glua.OP_LEN, glua.OP_TESTSET:
		o.reads(b(inst))
		o.writes(a(inst), 1)
	case glua.OP_MOVEN:
		o.moves(inst)
	case glua.OP_GETTABLE, glua.OP_GETTABLEKS, glua.OP_SELF, glua.OP_ADD, glua.OP_SUB, glua.OP_MUL, glua.OP_DIV, glua.OP_MOD, glua.OP_POW:
		o.reads(b(inst), c(inst))
		o.writes(a(inst), 1)
	case glua.OP_EQ, glua.OP_LT, glua.OP_LE:
		o.reads(b(inst), c(inst))
	case glua.OP_SETTABLE, glua.OP_SETTABLEKS:
		o.reads(a(inst), b(inst), c(inst))
	case glua.OP_SETGLOBAL, glua.OP_SETUPVAL, glua.OP_TEST:
		o.reads(a(inst))
	case glua.OP_LOADNIL:
		o.writes(a(inst), b(inst)-a(inst)+1)
	case glua.OP_LOADK, glua.OP_LOADBOOL, glua.OP_NEWTABLE, glua.OP_CLOSURE, glua.OP_GETUPVAL, glua.OP_GETGLOBAL, glua.OP_CONCAT:
		o.writes(a(inst), 1)
	case glua.OP_CALL:
		o.writes(a(inst), c(inst)-1)
	case glua.OP_VARARG:
		o.writes(a(inst), b(inst)-1)
	case glua.OP_RETURN:
		for i := range b(inst) - 1 {
			o.reads(a(inst) + i)
		}
	}
}

// moves are several instructions in one: the others follow.
func (o operands) moves(inst uint32) {
	o.reads(b(inst))
	o.writes(a(inst), 1)
	for _, more := range o.frame.Fn.Proto.Code[o.frame.Pc : o.frame.Pc+c(inst)] {
		o.reads(b(more))
		o.writes(a(more), 1)
	}
}

// reads are registers, or constants, which count as none.
func (o operands) reads(registers ...int) {
	for _, r := range registers {
		if r < 1<<8 {
			o.local(r, race.Read)
		}
	}
}

func (o operands) writes(first, n int) {
	for i := range n {
		o.local(first+i, race.Write)
	}
}

// local is an access to a register, if a closure has its variable.
func (o operands) local(register int, kind race.Kind) {
	for uv := o.m.direct.place.firstOpen(o.L); uv != nil; uv = uv.next {
		if uv.index == o.frame.LocalBase+register {
			o.add((*glua.Upvalue)(unsafe.Pointer(uv)), kind)
			return
		}
	}
}

// registerOf is the number of the register of an open upvalue.
func registerOf(uv *glua.Upvalue) int { return (*upvalue)(unsafe.Pointer(uv)).index }
