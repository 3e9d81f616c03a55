package scopes

import (
	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Compile is glua.Compile, and corrects the ends of the local variables: DbgLocalInfo.EndPc is the last instruction of
// the scope, and before StartPc if there is none. In a function whose variables it does not recognize, and where an int
// has 32 bits, all scopes are empty. It takes a second time for a chunk that is refused.
func Compile(chunk []ast.Stmt, name string) (*glua.FunctionProto, error) {
	if lineBits < 32 {
		proto, err := glua.Compile(chunk, name)
		if err == nil {
			hide(proto)
		}
		return proto, err
	}
	m := marked(chunk)
	proto, err := glua.Compile(chunk, name)
	if err != nil {
		unmark(chunk) // messages have lines
		return glua.Compile(chunk, name)
	}
	m.apply(proto, m.functions[1])
	return proto, nil
}

// hide makes all scopes empty.
func hide(p *glua.FunctionProto) {
	for _, l := range p.DbgLocals {
		l.EndPc = -1
	}
	for _, inner := range p.FunctionPrototypes {
		hide(inner)
	}
}

// apply corrects a function and those in it, and takes the marks off their lines.
func (m *marks) apply(p *glua.FunctionProto, f *function) {
	p.LineDefined, p.LastLineDefined = line(p.LineDefined), line(p.LastLineDefined)
	m.find(p, f)
	known := f != nil && len(f.locals) == len(p.DbgLocals)
	for i, l := range p.DbgLocals {
		switch {
		case !known:
			l.EndPc = -1
		case f.locals[i] == f.root:
			l.EndPc = len(p.Code) - 1
		default:
			l.EndPc = m.blocks[f.locals[i]].last
		}
	}
	for _, inner := range p.FunctionPrototypes {
		m.apply(inner, m.functions[inner.LineDefined>>lineBits])
	}
}

// find finds the last instruction of each block of a function. An instruction of a node without a mark, such as a
// number that the compiler has calculated, is in the block of the one before it.
func (m *marks) find(p *glua.FunctionProto, f *function) {
	at := 0
	if f != nil {
		at = f.root
	}
	for pc, marked := range p.DbgSourcePositions {
		p.DbgSourcePositions[pc] = line(marked)
		if f == nil {
			continue
		}
		for b := marked >> lineBits; b > 0; b = m.blocks[b].parent {
			if m.blocks[b].of == f { // a function inside belongs to the block that it is in
				at = b
				break
			}
		}
		m.blocks[at].last = pc
	}
	if f == nil {
		return
	}
	for i := len(f.blocks) - 1; i > 0; i-- { // what is in a block is in those around it
		b := m.blocks[f.blocks[i]]
		m.blocks[b.parent].last = max(m.blocks[b.parent].last, b.last)
	}
}
