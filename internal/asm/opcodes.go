package asm

import "strings"

// opcodes are the instructions by name; plain ones from 0x45 on are in their order.
func opcodes() map[string]byte {
	ops := map[string]byte{
		"unreachable": 0x00, "nop": 0x01, "block": 0x02, "loop": 0x03, "if": 0x04, "else": 0x05, "end": 0x0b,
		"br": 0x0c, "br_if": 0x0d, "br_table": 0x0e, "return": 0x0f, "call": 0x10, "call_indirect": 0x11,
		"return_call": 0x12, "drop": 0x1a, "select": 0x1b, "local.get": 0x20, "local.set": 0x21, "local.tee": 0x22,
		"global.get": 0x23, "global.set": 0x24, "memory.size": 0x3f, "memory.grow": 0x40,
		"i32.const": 0x41, "i64.const": 0x42, "ref.func": 0xd2, "table.get": 0x25, "ref.is_null": 0xd1,
	}
	for i, name := range strings.Fields(`i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s
		i32.load16_u i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u i32.store i64.store
		f32.store f64.store i32.store8 i32.store16 i64.store8 i64.store16 i64.store32`) {
		ops[name] = byte(0x28 + i)
	}
	for i, name := range strings.Fields(`i32.eqz i32.eq i32.ne i32.lt_s i32.lt_u i32.gt_s i32.gt_u i32.le_s i32.le_u
		i32.ge_s i32.ge_u i64.eqz i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u i64.le_s i64.le_u i64.ge_s i64.ge_u`) {
		ops[name] = byte(0x45 + i)
	}
	for i, name := range strings.Fields(`i32.clz i32.ctz i32.popcnt i32.add i32.sub i32.mul i32.div_s i32.div_u
		i32.rem_s i32.rem_u i32.and i32.or i32.xor i32.shl i32.shr_s i32.shr_u i32.rotl i32.rotr i64.clz i64.ctz
		i64.popcnt i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s i64.rem_u i64.and i64.or i64.xor i64.shl
		i64.shr_s i64.shr_u i64.rotl i64.rotr`) {
		ops[name] = byte(0x67 + i)
	}
	for i, name := range strings.Fields("f64.eq f64.ne f64.lt f64.gt f64.le f64.ge") {
		ops[name] = byte(0x61 + i)
	}
	for i, name := range strings.Fields("f64.sqrt f64.add f64.sub f64.mul f64.div") {
		ops[name] = byte(0x9f + i)
	}
	ops["f64.const"], ops["f64.convert_i64_s"] = 0x44, 0xb9
	ops["i32.wrap_i64"], ops["i64.extend_i32_s"], ops["i64.extend_i32_u"] = 0xa7, 0xac, 0xad
	return ops
}

// complete is an instruction for the first memory or table, with its operands; nil if it is none of these.
func complete(name string) []byte {
	switch name {
	case "memory.copy":
		return []byte{0xfc, 10, 0, 0}
	case "memory.fill":
		return []byte{0xfc, 11, 0}
	case "table.copy":
		return []byte{0xfc, 14, 0, 0}
	case "table.grow":
		return []byte{0xfc, 15, 0}
	case "table.fill":
		return []byte{0xfc, 17, 0}
	case "ref.null": // of functions
		return []byte{0xd0, 0x70}
	}
	return nil
}

// valueType is the byte of a type, 0 if the name is none.
func valueType(name string) byte {
	switch name {
	case "i32":
		return 0x7f
	case "i64":
		return 0x7e
	case "f32":
		return 0x7d
	case "f64":
		return 0x7c
	}
	return 0
}
