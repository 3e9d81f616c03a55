package constructors

import glua "github.com/yuin/gopher-lua"

// instruction is an instruction of gopher-lua: six bits of opcode, eight of A, nine each of C and
// B. B and C below 256 are registers; higher values are constants.
type instruction uint32

const (
	opShift = 26
	aShift  = 18
	cShift  = 9
	bits9   = 1<<9 - 1
)

func (i instruction) op() int { return int(i >> opShift) }
func (i instruction) a() int  { return int(i>>aShift) & 0xff }
func (i instruction) b() int  { return int(i) & bits9 }
func (i instruction) c() int  { return int(i>>cShift) & bits9 }

func (i instruction) withB(b int) instruction { return i&^bits9 | instruction(b) }

func (i instruction) withC(c int) instruction {
	return i&^(bits9<<cShift) | instruction(c)<<cShift
}

// words is how many words follow a SETLIST and belong to it.
func (i instruction) words() int {
	if i.c() == 0 {
		return 1
	}
	return 0
}

// setsField returns whether the instruction sets a field of the table in a register by its key.
func (i instruction) setsField(table int) bool {
	return (i.op() == glua.OP_SETTABLE || i.op() == glua.OP_SETTABLEKS) && i.a() == table
}
