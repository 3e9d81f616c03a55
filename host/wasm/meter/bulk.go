package meter

// The instructions whose work depends on an operand: the number of bytes, pages or table entries on
// top of the stack.
const (
	opMemoryGrow = 0x40
	opMisc       = 0xfc

	memoryInit = 8
	memoryCopy = 10
	memoryFill = 11
	tableInit  = 12
	tableCopy  = 14
	tableGrow  = 15
	tableFill  = 17
)

// The functions that are added behind those of the module. The last two need a memory.
const (
	pay  = iota // (n, bits i32) n: charges for n pieces of 1<<bits bytes
	fill        // does all of a memory.fill but the last part, and returns the operands for that
	copies
	helpers
)

// part is how many bytes memory.fill and memory.copy treat at once: 64 units.
const part = 1 << 14

// helpers is how many functions are added.
func (s *shape) helpers() uint32 {
	switch {
	case !s.has[functionSection] || !s.has[codeSection]:
		return 0
	case s.memories == 0:
		return fill
	}
	return helpers
}

// helper calls an added function.
func (s *shape) helper(to []byte, which uint32) []byte {
	return appendUint(append(to, opCall), 1+s.functions+which)
}

// bulk inserts the code that pays for the next instruction, if its work depends on an operand.
func (e *editor) bulk() {
	next := e.reader
	op, second := next.byte(), uint32(0)
	if op == opMisc {
		second = next.uint()
	}
	switch {
	case !next.ok() || e.memories == 0 && (op == opMemoryGrow || second == memoryFill || second == memoryCopy):
	case op == opMemoryGrow:
		e.payFor(16)
	case second == memoryInit:
		e.payFor(0)
	case second == memoryFill:
		e.insert(e.helper(nil, fill)...)
	case second == memoryCopy:
		e.insert(e.helper(nil, copies)...)
	case second == tableGrow:
		e.growsTables = true
		e.payFor(3)
	case second == tableInit, second == tableCopy, second == tableFill:
		e.payFor(3)
	}
}

func (e *editor) payFor(bits byte) { e.insert(e.helper([]byte{opI32Const, bits}, pay)...) }

// helperBodies are the added functions, each with its size.
func (s *shape) helperBodies(to []byte) []byte {
	bodies := [helpers]func([]byte) []byte{s.payBody, s.fillBody, s.copyBody}
	for _, body := range bodies[:s.helpers()] {
		code := append(body([]byte{0}), opEnd) // without locals
		to = append(appendUint(to, uint32(len(code))), code...)
	}
	return to
}

func (s *shape) payBody(to []byte) []byte {
	to = s.fuel(to, opGlobalGet)
	to = append(to, opLocalGet, 0, opI64Extend, opLocalGet, 1, opI64Extend, opI64Shl)
	return append(s.take(units(to)), opLocalGet, 0)
}

// units turns a number of bytes into units, rounded up.
func units(to []byte) []byte {
	return append(to, opI64Const, 0xff, 0x01, opI64Add, opI64Const, 8, opI64ShrUnsigned)
}

const (
	target, operand, length = 0, 1, 2 // the locals: of memory.copy the operand is the source
)

func (s *shape) fillBody(to []byte) []byte {
	return s.inParts(to, []byte{target}, func(to []byte) []byte {
		to = append(to, opLocalGet, target, opLocalGet, operand)
		to = append(partSize(to), opMisc, memoryFill, 0)
		return advance(to, target)
	})
}

// copyBody goes forward if the target is before the source, and else backward, so that no part
// overwrites what a later one reads.
func (s *shape) copyBody(to []byte) []byte {
	return s.inParts(to, []byte{target, operand}, func(to []byte) []byte {
		to = append(to, opLocalGet, target, opLocalGet, operand, opI32LessEqual, opIf, noResult)
		to = append(to, opLocalGet, target, opLocalGet, operand)
		to = append(partSize(to), opMisc, memoryCopy, 0, 0)
		to = append(advance(advance(to, target), operand), opElse)
		for _, local := range []byte{target, operand} {
			to = append(partSize(append(to, opLocalGet, local, opLocalGet, length, opI32Add)), opI32Sub)
		}
		return append(partSize(to), opMisc, memoryCopy, 0, 0, opEnd)
	})
}

// inParts treats part after part, and pays for each before, until at most one part is left. It pays for
// that, and returns its operands. Operands out of bounds are returned as they are: the instruction
// traps.
func (s *shape) inParts(to, addresses []byte, treat func([]byte) []byte) []byte {
	to = append(to, opBlock, noResult, opBlock, noResult)
	to = append(partSize(append(to, opLocalGet, length)), opI32LessEqual, opBranchIf, 0)
	for _, address := range addresses {
		to = append(to, opLocalGet, address, opI64Extend, opLocalGet, length, opI64Extend, opI64Add)
		to = append(to, opMemorySize, 0, opI64Extend, opI64Const, 16, opI64Shl, opI64Greater, opBranchIf, 1)
	}
	to = append(to, opLoop, noResult)
	to = s.take(units(append(partSize(s.fuel(to, opGlobalGet)), opI64Extend)))
	to = append(partSize(append(treat(to), opLocalGet, length)), opI32Sub, opLocalTee, length)
	to = append(partSize(to), opI32Greater, opBranchIf, 0, opEnd, opEnd)
	to = s.take(units(append(s.fuel(to, opGlobalGet), opLocalGet, length, opI64Extend)))
	return append(to, opEnd, opLocalGet, target, opLocalGet, operand, opLocalGet, length)
}

func advance(to []byte, local byte) []byte {
	return append(partSize(append(to, opLocalGet, local)), opI32Add, opLocalSet, local)
}

func partSize(to []byte) []byte {
	return append(to, opI32Const, part&0x7f|0x80, part>>7&0x7f|0x80, part>>14)
}

// fuel reads or writes the fuel.
func (s *shape) fuel(to []byte, op byte) []byte { return appendUint(append(to, op), s.globals) }

// take takes the units on the stack from the fuel below them, and calls Preempt if it is used up.
func (s *shape) take(to []byte) []byte {
	to = s.fuel(s.fuel(append(to, opI64Sub), opGlobalSet), opGlobalGet)
	to = append(to, opI64Const, 0, opI64LessSigned, opIf, noResult)
	return append(appendUint(append(to, opCall), s.importedFunctions), opEnd)
}
