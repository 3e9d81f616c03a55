package scopes

import (
	"math/bits"

	"github.com/yuin/gopher-lua/ast"

	"github.com/selvage-dev/selvage/host/lua/internal/tree"
)

// lineBits are the bits of a line that are its number; the others are the number of a block. Compile marks nothing
// where they are less than 32.
const lineBits = bits.UintSize / 2

// marks are what the tree of a chunk has been marked with. Block 0 is none; the chunk is block 1.
type marks struct {
	blocks    []block
	functions map[int]*function // by the number of their outermost block
	off       bool              // marks are taken away
}

type block struct {
	parent int
	of     *function
	last   int // instruction of the function; -1 if there is none
}

// function is a function of the chunk.
type function struct {
	root   int
	blocks []int // in the order of the text
	locals []int // the blocks of the local variables, in the order in which the compiler notes them
}

// marked marks a chunk.
func marked(chunk []ast.Stmt) *marks { return walked(chunk, false) }

// unmark takes the marks off a chunk.
func unmark(chunk []ast.Stmt) { walked(chunk, true) }

func walked(chunk []ast.Stmt, off bool) *marks {
	m := &marks{blocks: make([]block, 1), functions: map[int]*function{}, off: off}
	m.statements(chunk, m.open(0, &function{}))
	return m
}

// open begins a block: of a function inside its parent, or the outermost one of a new function.
func (m *marks) open(parent int, of *function) int {
	number := len(m.blocks)
	m.blocks = append(m.blocks, block{parent, of, -1})
	if len(of.blocks) == 0 {
		of.root = number
		m.functions[number] = of
	}
	of.blocks = append(of.blocks, number)
	return number
}

func (m *marks) inside(parent int) int { return m.open(parent, m.blocks[parent].of) }

// local notes variables of a block.
func (m *marks) local(block, n int) {
	of := m.blocks[block].of
	for range n {
		of.locals = append(of.locals, block)
	}
}

func (m *marks) statements(list []ast.Stmt, in int) {
	for _, s := range list {
		m.statement(s, in)
	}
}

func (m *marks) statement(s ast.Stmt, in int) {
	m.mark(s, in)
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		m.expressions(s, in, false)
		m.local(in, len(s.Names))
	case *ast.RepeatStmt: // its condition can use the variables
		inner := m.inside(in)
		m.statements(s.Stmts, inner)
		m.expressions(s, inner, false)
	case *ast.NumberForStmt:
		inner := m.inside(in)
		m.local(inner, len([...]string{"(for index)", "(for limit)", "(for step)", s.Name}))
		m.expressions(s, inner, false)
		m.statements(s.Stmts, inner)
	case *ast.GenericForStmt:
		inner := m.inside(in)
		m.local(inner, len([...]string{"(for generator)", "(for state)", "(for control)"})+len(s.Names))
		m.expressions(s, inner, false)
		m.statements(s.Stmts, inner)
	default:
		def, _ := s.(*ast.FuncDefStmt)
		m.expressions(s, in, def != nil && def.Name.Func == nil)
		for _, list := range tree.Blocks(s) {
			m.statements(list, m.inside(in))
		}
	}
}

func (m *marks) expressions(s ast.Stmt, in int, method bool) {
	for _, e := range tree.Expressions(s) {
		tree.Visit(e, func(e ast.Expr) {
			if f, ok := e.(*ast.FunctionExpr); ok {
				m.function(f, in, method)
				return
			}
			m.mark(e, in)
		})
	}
}

// function marks a function, which has the number of its outermost block. A method has a parameter more.
func (m *marks) function(f *ast.FunctionExpr, in int, method bool) {
	root := m.open(in, &function{})
	m.mark(f, root)
	if method {
		m.local(root, 1)
	}
	m.local(root, len(f.ParList.Names))
	if f.ParList.HasVargs {
		m.local(root, 1) // the table arg of Lua 5.0
	}
	m.statements(f.Stmts, root)
}

// mark gives a node the number of a block, or takes it away.
func (m *marks) mark(n ast.PositionHolder, block int) {
	if m.off {
		block = 0
	}
	n.SetLine(line(n.Line()) | block<<lineBits)
	if last := line(n.LastLine()); last != 0 {
		n.SetLastLine(last | block<<lineBits)
	}
}

// line is a line without a mark.
func line(marked int) int { return int(uint32(marked)) }
