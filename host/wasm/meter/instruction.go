package meter

// The instructions that the rewriting looks at or inserts.
const (
	opBlock          = 0x02
	opLoop           = 0x03
	opIf             = 0x04
	opElse           = 0x05
	opEnd            = 0x0b
	opBranchIf       = 0x0d
	opCall           = 0x10
	opLocalGet       = 0x20
	opLocalSet       = 0x21
	opLocalTee       = 0x22
	opGlobalGet      = 0x23
	opGlobalSet      = 0x24
	opMemorySize     = 0x3f
	opI32Const       = 0x41
	opI64Const       = 0x42
	opI32Greater     = 0x4b // unsigned, as the next two
	opI32LessEqual   = 0x4d
	opI64Greater     = 0x56
	opI64LessSigned  = 0x53
	opI32Add         = 0x6a
	opI32Sub         = 0x6b
	opI64Add         = 0x7c
	opI64Sub         = 0x7d
	opI64Shl         = 0x86
	opI64ShrUnsigned = 0x88
	opI64Extend      = 0xad // of an unsigned i32
	noResult         = 0x40 // the type of a block
)

// immediate is what follows an opcode.
type immediate uint8

const (
	unsupported immediate = iota
	none
	blockType
	labels      // br_table
	valueTypes  // select with types
	heapType    // ref.null
	aFunction   // call, ref.func
	aGlobal     // global.get and global.set
	typeAndItem // call_indirect: a type and a table
	item        // an index that the rewriting does not change
	twoItems
	memory // alignment and offset
	memoryLane
	lane
	i32
	i64
	bytes4
	bytes8
	bytes16
	misc // a second opcode follows
	simd
)

// instruction reads an instruction, and returns its opcode.
func (e *editor) instruction() byte {
	at := e.pos
	op := e.byte()
	imm := immediateOf(op)
	switch imm {
	case misc:
		second := e.uint()
		if imm = miscImmediate(second); imm == unsupported {
			e.fail(at, "instruction %#x %d is not supported", op, second)
		}
	case simd:
		second := e.uint()
		if imm = simdImmediate(second); imm == unsupported {
			e.fail(at, "instruction %#x %d is not supported", op, second)
		}
	case unsupported:
		e.fail(at, "instruction %#x is not supported", op)
	}
	e.immediate(imm)
	return op
}

// expression reads a constant expression.
func (e *editor) expression() {
	for e.ok() && e.instruction() != opEnd {
	}
}

func (e *editor) immediate(imm immediate) {
	switch imm {
	case blockType:
		at := e.pos
		if t := e.signed(33); t >= int64(e.types) {
			e.fail(at, "type %d: there are %d", t, e.types)
		}
	case labels:
		e.each(e.count(1), func() { e.uint() })
		e.uint()
	case valueTypes:
		e.skip(uint64(e.count(1)))
	case heapType:
		e.signed(33)
	case aFunction:
		e.function()
	case aGlobal:
		e.index("global", e.globals)
	case typeAndItem:
		e.typeIndex()
		e.uint()
	case item:
		e.uint()
	case twoItems, memory:
		e.uint()
		e.uint()
	case memoryLane:
		e.uint()
		e.uint()
		e.byte()
	case lane:
		e.byte()
	case i32:
		e.signed(32)
	case i64:
		e.signed(64)
	case bytes4:
		e.skip(4)
	case bytes8:
		e.skip(8)
	case bytes16:
		e.skip(16)
	}
}

// immediateOf is the table of WebAssembly 2.0 and tail calls.
func immediateOf(op byte) immediate {
	switch {
	case op == 0x00, op == 0x01, op == 0x05, op == 0x0b, op == 0x0f: // unreachable nop else end return
		return none
	case op >= 0x02 && op <= 0x04: // block loop if
		return blockType
	case op == 0x0c, op == 0x0d: // br br_if
		return item
	case op == 0x0e: // br_table
		return labels
	case op == 0x10, op == 0x12, op == 0xd2: // call return_call ref.func
		return aFunction
	case op == 0x11, op == 0x13: // call_indirect return_call_indirect
		return typeAndItem
	case op == 0x1a, op == 0x1b: // drop select
		return none
	case op == 0x1c: // select with types
		return valueTypes
	case op >= 0x20 && op <= 0x22, op == 0x25, op == 0x26: // local.get .set .tee, table.get .set
		return item
	case op == 0x23, op == 0x24: // global.get .set
		return aGlobal
	case op >= 0x28 && op <= 0x3e: // loads and stores
		return memory
	case op == 0x3f, op == 0x40: // memory.size .grow
		return item
	case op == 0x41:
		return i32
	case op == 0x42:
		return i64
	case op == 0x43: // f32.const
		return bytes4
	case op == 0x44: // f64.const
		return bytes8
	case op >= 0x45 && op <= 0xc4: // comparisons, arithmetic, conversions, sign extensions
		return none
	case op == 0xd0: // ref.null
		return heapType
	case op == 0xd1: // ref.is_null
		return none
	case op == 0xfc:
		return misc
	case op == 0xfd:
		return simd
	}
	return unsupported
}

func miscImmediate(op uint32) immediate {
	switch {
	case op <= 7: // saturating conversions
		return none
	case op == 9, op == 11, op == 13, op >= 15 && op <= 17: // data.drop memory.fill elem.drop table.grow .size .fill
		return item
	case op == 8, op == 10, op == 12, op == 14: // memory.init .copy table.init .copy
		return twoItems
	}
	return unsupported
}

func simdImmediate(op uint32) immediate {
	switch {
	case op <= 0x0b, op == 0x5c, op == 0x5d: // loads and stores
		return memory
	case op == 0x0c, op == 0x0d: // v128.const i8x16.shuffle
		return bytes16
	case op >= 0x15 && op <= 0x22: // extract_lane replace_lane
		return lane
	case op >= 0x54 && op <= 0x5b: // load_lane store_lane
		return memoryLane
	case op <= 0xff:
		return none
	}
	return unsupported
}
