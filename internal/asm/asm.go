package asm

import (
	"fmt"
	"strings"
)

// Assemble makes a binary module of the text.
func Assemble(text string) []byte {
	m := &module{ops: opcodes(), functions: map[string]int{}, globals: map[string]int{}}
	m.tokens = scan(text)
	m.declare()
	for m.more() {
		m.declaration()
	}
	return m.binary()
}

// token is a word, a string or a parenthesis, and its line.
type token struct {
	text string
	line int
}

func scan(text string) (tokens []token) {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, ";;")
		for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
			n := 1
			switch line[0] {
			case '(', ')':
			case '"':
				n = strings.IndexByte(line[1:], '"') + 2
			default:
				if n = strings.IndexAny(line, " \t()"); n < 0 {
					n = len(line)
				}
			}
			tokens = append(tokens, token{line[:n], i + 1})
			line = line[n:]
		}
	}
	return tokens
}

type module struct {
	tokens []token
	next   int
	ops    map[string]byte

	functions map[string]int
	globals   map[string]int
	types     []string
	imported  int

	imports, funcs, tables, memories, globalDefs, exports, elems, bodies, datas [][]byte
	start                                                                       []byte
}

func (m *module) more() bool { return m.next < len(m.tokens) }

func (m *module) peek() string {
	if !m.more() {
		return ""
	}
	return m.tokens[m.next].text
}

func (m *module) word() string {
	if !m.more() {
		panic("asm: unexpected end")
	}
	m.next++
	return m.tokens[m.next-1].text
}

func (m *module) wrong(what string) {
	panic(fmt.Sprintf("asm: line %d: %s", m.tokens[m.next-1].line, what))
}

// declare gives functions their indices: those of imports come first.
func (m *module) declare() {
	for _, kind := range []string{"import", "func"} {
		for i, t := range m.tokens {
			if t.text == kind {
				name := m.tokens[i+1].text
				if kind == "import" {
					name = m.tokens[i+3].text
				}
				if _, twice := m.functions[name]; twice {
					panic(fmt.Sprintf("asm: line %d: a second function %s", t.line, name))
				}
				m.functions[name] = len(m.functions)
			}
		}
	}
}

func (m *module) declaration() {
	switch kind := m.word(); kind {
	case "import":
		from, name := m.quoted(), m.quoted()
		m.word()
		m.imports = append(m.imports, join(str(from), str(name), []byte{0}, uint(m.signature())))
		m.imported++
	case "memory":
		m.memories = append(m.memories, m.extent())
		m.exports = append(m.exports, join(str("memory"), []byte{2, 0}))
	case "table":
		m.tables = append(m.tables, join([]byte{0x70}, m.extent()))
	case "global":
		name, kind, value := m.word(), m.word(), m.number()
		m.exports = append(m.exports, join(str(name), []byte{3}, uint(len(m.globals))))
		m.globals[name] = len(m.globals)
		m.globalDefs = append(m.globalDefs, join([]byte{valueType(kind), 1, m.ops[kind+".const"]}, sint(value), []byte{0x0b}))
	case "elem":
		m.elems = append(m.elems, m.elem())
	case "data":
		at := m.number()
		m.datas = append(m.datas, join([]byte{0, 0x41}, sint(at), []byte{0x0b}, str(m.quoted())))
	case "start":
		m.start = uint(m.function())
	case "func":
		m.funcDecl()
	default:
		m.wrong("no declaration: " + kind)
	}
}

func (m *module) elem() []byte {
	at := m.number()
	var list [][]byte
	for f, ok := m.functions[m.peek()]; ok; f, ok = m.functions[m.peek()] {
		m.next++
		list = append(list, uint(f))
	}
	return join([]byte{0, 0x41}, sint(at), []byte{0x0b}, vector(list))
}

func (m *module) funcDecl() {
	name := m.word()
	m.funcs = append(m.funcs, uint(m.signature()))
	if m.peek() == "export" {
		m.next++
		m.exports = append(m.exports, join(str(name), []byte{0}, uint(m.functions[name])))
	}
	var locals [][]byte
	if m.peek() == "locals" {
		for m.next++; valueType(m.peek()) != 0; m.next++ {
			locals = append(locals, []byte{1, valueType(m.peek())})
		}
	}
	body := vector(locals)
	for depth := 1; depth > 0; {
		op := m.word()
		body = append(body, m.instruction(op)...)
		switch op {
		case "block", "loop", "if":
			depth++
		case "end":
			depth--
		}
	}
	m.bodies = append(m.bodies, join(uint(len(body)), body))
}

// signature reads parameters and results, and gives their type its index.
func (m *module) signature() int {
	t := string(join([]byte{0x60}, m.typeList(), m.typeList()))
	for i, known := range m.types {
		if known == t {
			return i
		}
	}
	m.types = append(m.types, t)
	return len(m.types) - 1
}

// typeList is a list of types in parentheses, empty if there is none.
func (m *module) typeList() []byte {
	var list [][]byte
	if m.peek() == "(" {
		for m.next++; m.peek() != ")"; {
			list = append(list, []byte{valueType(m.word())})
		}
		m.next++
	}
	return vector(list)
}
