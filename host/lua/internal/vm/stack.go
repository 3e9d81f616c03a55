package vm

import glua "github.com/yuin/gopher-lua"

// Call is a call that a thread is in. It is valid until the thread executes.
type Call struct {
	Function *glua.LFunction
	// Instruction is the number of the one that a Lua function has reached; -1 if it has not begun, or if that
	// is not known.
	Instruction int
	// TailCalls is how many functions have been left for this one by tail calls.
	TailCalls int
	// Registers are those of a Lua function, its parameters first, and Varargs what it was called with beyond
	// those. They are gopher-lua's own. An element may be nil.
	Registers, Varargs []glua.LValue
}

// Line is the source line that the call has reached; 0 if it is not known.
func (c Call) Line() int {
	if c.Function.IsG || c.Instruction < 0 || c.Instruction >= len(c.Function.Proto.DbgSourcePositions) {
		return 0
	}
	return c.Function.Proto.DbgSourcePositions[c.Instruction]
}

// The opcode is the upper six bits of an instruction.
const opcodeShift = 26

// a is the first operand of an instruction, a register.
func a(inst uint32) int { return int(inst>>18) & 0xff }

// variadic is VarArgIsVarArg of gopher-lua.
const variadic = 2

// IsVariadic reports whether a Lua function takes more values than it has parameters.
func IsVariadic(p *glua.FunctionProto) bool { return p.IsVarArg&variadic != 0 }

// Makes reports whether the call has reached the instruction that makes the function for a register: a local function
// is in scope before it.
func (c Call) Makes(register int) bool {
	if c.Instruction < 0 {
		return false
	}
	inst := c.Function.Proto.Code[c.Instruction]
	return inst>>opcodeShift == uint32(glua.OP_CLOSURE) && a(inst) == register
}
