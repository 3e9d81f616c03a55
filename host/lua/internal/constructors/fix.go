package constructors

import (
	"errors"

	glua "github.com/yuin/gopher-lua"
)

// ErrList: no instruction can express the constructor.
var ErrList = errors.New("a table constructor has 25550 items and a call behind them, which cannot be compiled; put one more item before the call")

// lastPart is the highest number of a part that a SETLIST can hold. The number of a later part
// is in the word behind the instruction.
const lastPart = 511

// Fix corrects a function that was just compiled, and the functions in it. It must not have run.
func Fix(p *glua.FunctionProto) error {
	if err := fix(p.Code); err != nil {
		return err
	}
	for _, inner := range p.FunctionPrototypes {
		if err := Fix(inner); err != nil {
			return err
		}
	}
	return nil
}

func fix(code []uint32) error {
	var parts [256]int // the parts so far of the table in each register
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

// repeats returns whether a SETLIST behind a field has no items of its own: those that it would
// store were stored by the SETLIST before.
func repeats(before, list instruction) bool {
	if !before.setsField(list.a()) {
		return false
	}
	return list.b() == glua.FieldsPerFlush || list.b() == 0 && waiting(before) == 0
}

// closed returns a SETLIST that stores the items that wait. Behind a field no call precedes it
// whose results it could store.
func closed(before, list instruction) instruction {
	if list.b() == 0 && before.setsField(list.a()) {
		return list.withB(waiting(before))
	}
	return list
}

// waiting is how many items wait in the registers between that of the table and that of the
// field's value. The value is a call or a vararg expression, so it has a register; so has the
// key in some cases, the one before.
func waiting(field instruction) int {
	table, key, value := field.a(), field.b(), field.c()
	if key > table && key == value-1 {
		value = key
	}
	return value - table - 1
}

// number sets the number of a part in its SETLIST, and returns whether there is room for it.
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
