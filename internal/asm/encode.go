package asm

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

func (m *module) quoted() string {
	s, err := strconv.Unquote(m.word())
	if err != nil {
		m.wrong("a string is wanted")
	}
	return s
}

func (m *module) number() int64 {
	w := m.word()
	n, err := strconv.ParseInt(w, 0, 64)
	if err != nil {
		m.wrong("a number is wanted, not " + w)
	}
	return n
}

func (m *module) float() float64 {
	w := m.word()
	x, err := strconv.ParseFloat(w, 64)
	if err != nil {
		m.wrong("a number is wanted, not " + w)
	}
	return x
}

func (m *module) function() int {
	w := m.word()
	i, ok := m.functions[w]
	if !ok {
		m.wrong("no function " + w)
	}
	return i
}

// extent is a minimum and, if a number follows, a maximum.
func (m *module) extent() []byte {
	least := uint(int(m.number()))
	if _, err := strconv.Atoi(m.peek()); err != nil {
		return join([]byte{0}, least)
	}
	return join([]byte{1}, least, uint(int(m.number())))
}

func (m *module) instruction(name string) []byte {
	if whole := complete(name); whole != nil {
		return whole
	}
	op, ok := m.ops[name]
	if !ok {
		m.wrong("no instruction " + name)
	}
	return join([]byte{op}, m.immediates(name))
}

func (m *module) immediates(name string) []byte {
	switch name {
	case "block", "loop", "if":
		return m.blockType()
	case "br", "br_if", "local.get", "local.set", "local.tee", "table.get":
		return uint(int(m.number()))
	case "br_table":
		return m.labels()
	case "call", "return_call", "ref.func":
		return uint(m.function())
	case "call_indirect":
		return join(uint(m.signature()), []byte{0})
	case "global.get", "global.set":
		return uint(m.globals[m.word()])
	case "memory.size", "memory.grow":
		return []byte{0}
	case "i32.const", "i64.const":
		return sint(m.number())
	case "f64.const":
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(m.float()))
	}
	if strings.Contains(name, ".load") || strings.Contains(name, ".store") {
		offset, found := strings.CutPrefix(m.peek(), "offset=")
		n, _ := strconv.Atoi(offset)
		if found {
			m.next++
		}
		return join([]byte{0}, uint(n))
	}
	return nil
}

// blockType is nothing, one result, or parameters and results.
func (m *module) blockType() []byte {
	if kind := valueType(m.peek()); kind != 0 {
		m.next++
		return []byte{kind}
	}
	if m.peek() == "(" {
		return sint(int64(m.signature()))
	}
	return []byte{0x40}
}

// labels are all the numbers that follow, the last for every other value.
func (m *module) labels() []byte {
	var list [][]byte
	for _, err := strconv.Atoi(m.peek()); err == nil; _, err = strconv.Atoi(m.peek()) {
		list = append(list, uint(int(m.number())))
	}
	last := len(list) - 1
	return join(vector(list[:last]), list[last])
}

func (m *module) binary() []byte {
	var types [][]byte
	for _, t := range m.types {
		types = append(types, []byte(t))
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []struct {
		id   byte
		list [][]byte
	}{{1, types}, {2, m.imports}, {3, m.funcs}, {4, m.tables}, {5, m.memories}, {6, m.globalDefs}, {7, m.exports}} {
		out = section(out, s.id, s.list)
	}
	if m.start != nil {
		out = join(out, []byte{8}, uint(len(m.start)), m.start)
	}
	out = section(section(section(out, 9, m.elems), 10, m.bodies), 11, m.datas)
	return m.names(out)
}

// names is the custom section that gives engines the names of functions.
func (m *module) names(out []byte) []byte {
	list := make([][]byte, len(m.functions))
	for name, i := range m.functions {
		list[i] = join(uint(i), str(name))
	}
	body := vector(list)
	body = join(str("name"), []byte{1}, uint(len(body)), body)
	return join(out, []byte{0}, uint(len(body)), body)
}

func section(out []byte, id byte, list [][]byte) []byte {
	if len(list) == 0 {
		return out
	}
	body := vector(list)
	return join(out, []byte{id}, uint(len(body)), body)
}

func vector(list [][]byte) []byte { return join(uint(len(list)), join(list...)) }

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func str(s string) []byte { return join(uint(len(s)), []byte(s)) }

func uint(n int) (b []byte) {
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

func sint(n int64) (b []byte) {
	for ; n < -0x40 || n >= 0x40; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n)&0x7f)
}
