package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// place is where a value begins in the two banks of the window.
type place struct{ n, r int }

func (p place) plus(l layout) place { return place{p.n + l.n, p.r + l.r} }

// only is the one register of a value with a single layout.
func (p place) only(l layout) int {
	if l.n == 1 {
		return p.n
	}
	return p.r
}

// fn is one function being compiled.
type fn struct {
	c       *compiler
	out     *code.Func
	index   int
	info    *types.Info
	pkg     *types.Package
	parent  *fn
	sig     *types.Signature
	vars    map[*types.Var]variable
	boxed   map[*types.Var]bool // of the whole declaration, shared with its closures
	esc     *escapes            // likewise
	results []*types.Var        // named ones
	consts  map[uint64]int      // registers that hold constants while a loop is compiled
	top     place               // the first free register of each bank
	scopes  []*scope            // what break, continue and goto leave
	labels  map[string]*label
	lits    int // closures so far, for their names
	line    int32
	defers  bool
	exits   []int  // jumps to the epilogue
	pending string // the label of the statement that comes next
	what    string // the name of what the next instruction accesses, for Watch
	open    []int  // the variables in scope, in the list of the function
}

// newFn begins a function with a number of its own.
func (c *compiler) newFn(name string, sig *types.Signature) *fn {
	index := len(c.prog.Funcs)
	f := &fn{
		c: c, out: &code.Func{Index: index, Name: name, Clo: -1, Epilogue: -1}, index: index, sig: sig,
		vars: map[*types.Var]variable{}, boxed: map[*types.Var]bool{}, labels: map[string]*label{},
	}
	c.prog.Funcs = append(c.prog.Funcs, f.out)
	if c.prog.Variables != nil {
		c.prog.Variables = append(c.prog.Variables, nil)
	}
	if sig != nil {
		f.shape(sig)
	}
	return f
}

// shape lays out the window: results, parameters, receiver.
func (f *fn) shape(sig *types.Signature) {
	o := f.out
	res, args := f.c.layout(sig.Results()), f.c.layout(sig.Params())
	o.ResN, o.ResR = res.n, res.r
	o.RecvN, o.RecvR = res.n+args.n, res.r+args.r
	if sig.Recv() != nil {
		args = args.plus(f.c.layout(sig.Recv().Type()))
	}
	o.ArgN, o.ArgR = args.n, args.r
	f.reserve(res.plus(args))
}

// reserve allocates a place for a value above the top.
func (f *fn) reserve(l layout) place {
	p := f.top
	f.top = p.plus(l)
	f.out.N, f.out.R = max(f.out.N, f.top.n), max(f.out.R, f.top.r)
	if f.top.n > 60000 || f.top.r > 60000 {
		f.refuse(token.NoPos, "values this large by value; use a pointer or a slice")
	}
	return p
}

func (f *fn) temp(t types.Type) place { return f.reserve(f.c.layout(t)) }

// word and ref are single registers.
func (f *fn) word() int { return f.reserve(layout{1, 0}).n }
func (f *fn) ref() int  { return f.reserve(layout{0, 1}).r }

// at records the source line of the following instructions.
func (f *fn) at(pos token.Pos) {
	if pos.IsValid() {
		f.line = int32(f.c.fset.Position(pos).Line)
	}
}

func (f *fn) emit(op code.Op, a, b, c int, d int32) int {
	if f.c.prog.Watched {
		f.watch(op)
	}
	return f.append(op, a, b, c, d)
}

func (f *fn) append(op code.Op, a, b, c int, d int32) int {
	f.out.Code = append(f.out.Code, code.Instr{Op: op, A: uint16(a), B: uint16(b), C: uint16(c), D: d})
	f.out.Line = append(f.out.Line, f.line)
	return len(f.out.Code) - 1
}

// aux adds the operands of a long instruction.
func (f *fn) aux(x code.Aux) int32 {
	f.out.Aux = append(f.out.Aux, x)
	return int32(len(f.out.Aux) - 1)
}

func (f *fn) pc() int { return len(f.out.Code) }

// land makes the jumps at these positions go to the next instruction.
func (f *fn) land(jumps ...int) { f.landAt(f.pc(), jumps...) }

func (f *fn) landAt(to int, jumps ...int) {
	for _, j := range jumps {
		in := &f.out.Code[j]
		if in.Op == code.MapNext {
			f.out.Aux[in.D].I[5] = int32(to - j - 1)
		} else {
			in.D = int32(to - j - 1)
		}
	}
}

// refuse ends the compilation. docs/minigo.md lists what is refused.
func (f *fn) refuse(pos token.Pos, what string) {
	p := f.c.fset.Position(pos)
	if !pos.IsValid() {
		p = token.Position{Filename: f.out.File, Line: int(f.line)}
	}
	panic(&Refusal{p, what})
}

// unknown is a defect: the type checker and package front let no such program pass.
func (f *fn) unknown(n ast.Node) {
	panic(fmt.Sprintf("%v: no code for %T", f.c.fset.Position(n.Pos()), n))
}

func (f *fn) typeOf(e ast.Expr) types.Type { return f.info.TypeOf(e) }

// smallValue is how many words and references are copied without a charge.
const smallValue = 24

// spend charges for a copy of a large value within the window.
func (f *fn) spend(l layout) {
	if l.n+l.r > smallValue {
		f.emit(code.Spend, 0, 0, 0, int32((8*l.n+16*l.r+255)/256))
	}
}

// move copies a value from registers to registers.
func (f *fn) move(dst, src place, l layout) {
	if dst != src {
		f.spend(l)
	}
	if dst.n != src.n {
		switch {
		case l.n == 1:
			f.emit(code.MovN, dst.n, src.n, 0, 0)
		case l.n > 1:
			f.emit(code.MovNs, dst.n, src.n, l.n, 0)
		}
	}
	if dst.r != src.r {
		switch {
		case l.r == 1:
			f.emit(code.MovR, dst.r, src.r, 0, 0)
		case l.r > 1:
			f.emit(code.MovRs, dst.r, src.r, l.r, 0)
		}
	}
}

func (f *fn) zero(dst place, l layout) {
	f.spend(l)
	switch {
	case l.n == 1:
		f.emit(code.LoadI, dst.n, 0, 0, 0)
	case l.n > 1:
		f.emit(code.ZeroN, dst.n, 0, l.n, 0)
	}
	if l.r > 0 {
		f.emit(code.ZeroR, dst.r, 0, l.r, 0)
	}
}

func (f *fn) loadInt(reg int, v int64) {
	if v == int64(int32(v)) {
		f.emit(code.LoadI, reg, 0, 0, int32(v))
		return
	}
	f.loadWord(reg, uint64(v))
}

func (f *fn) loadWord(reg int, w uint64) {
	i := slices.Index(f.out.K, w)
	if i < 0 {
		i = len(f.out.K)
		f.out.K = append(f.out.K, w)
	}
	f.emit(code.LoadK, reg, 0, 0, int32(i))
}

// callPlain calls a function without parameters and results.
func (f *fn) callPlain(index int) {
	f.emit(code.Call, f.top.n, f.top.r, 0, int32(index))
}
