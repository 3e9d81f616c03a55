package constructors

import (
	"errors"

	glua "github.com/yuin/gopher-lua"
)

// ErrList is a constructor for which there is no instruction.
var ErrList = errors.New("a table constructor has 25550 items and a call behind them, which cannot be compiled; put one more item before the call")

// lastPart is the highest part of a list that SETLIST can name itself; of one beyond, the
// number is the word behind the instruction.
const lastPart = 511

// Mend puts a function right that was just compiled, and those in it. It must not have run.
func Mend(p *glua.FunctionProto) error {
	if err := mend(p.Code); err != nil {
		return err
	}
	for _, inner := range p.FunctionPrototypes {
		if err := Mend(inner); err != nil {
			return err
		}
	}
	return nil
}

func mend(code []uint32) error {
	var parts [256]int // of the table in a register that is being filled
	for at := 0; at < len(code); at++ {
		switch in := instruction(code[at]); in.op() {
		case glua.OP_NEWTABLE:
			parts[in.a()] = 0
		case glua.OP_SETLIST:
			within := code[at:min(at+1+in.words(), len(code))]
			if at > 0 && repeats(instruction(code[at-1]), in) {
				erase(within)
			} else {
				parts[in.a()]++
				if at > 0 {
					within[0] = uint32(closed(instruction(code[at-1]), in))
				}
				if !number(within, parts[in.a()]) {
					return ErrList
				}
			}
			at += in.words()
		}
	}
	return nil
}

// repeats tells whether a SETLIST behind a field has no items of its own: then those that it
// would take have been taken.
func repeats(before, list instruction) bool {
	if !before.setsField(list.a()) {
		return false
	}
	return list.b() == glua.FieldsPerFlush || list.b() == 0 && waiting(before) == 0
}

// closed is a SETLIST that takes as many items as there are. Behind a field there is no call
// of which it could take all that has come.
func closed(before, list instruction) instruction {
	if list.b() == 0 && before.setsField(list.a()) {
		return list.withB(waiting(before))
	}
	return list
}

// waiting is how many items wait in the registers between the table's and that in which the
// field's value was put: a call, or all arguments, so that it is no constant and no variable.
// Where the key had to be put into a register, that is the one before.
func waiting(field instruction) int {
	table, key, value := field.a(), field.b(), field.c()
	if key > table && key == value-1 {
		value = key
	}
	return value - table - 1
}

// number gives a SETLIST the number of its part, and tells whether it has room for it.
func number(list []uint32, part int) bool {
	in := instruction(list[0])
	switch {
	case in.c() == 0 && len(list) == 2:
		list[1] = uint32(part)
	case part <= lastPart:
		list[0] = uint32(in.withC(part))
	default:
		return false
	}
	return true
}

func erase(code []uint32) {
	for i := range code {
		code[i] = uint32(glua.OP_NOP) << opShift
	}
}
