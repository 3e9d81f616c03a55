package vm

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// The window of a random function: a slice that is never written to, counters of loops, other
// integers, floats, and what it calls with.
const (
	sliceAtN  = 0
	counters  = 3
	integers  = 6
	reals     = 14
	digest    = 20
	scratchN  = 21
	callAt    = 25
	appended  = 22 // a slice that is appended to and cut
	windowN   = 28
	windowR   = 8
	freeRef   = 3 // from here on they are copied about; below are an object, a slice and a string
	freeRefs  = 6 // up to here; behind are a slice that is appended to, and a closure
	results   = digest + 1
	loopDepth = 3
)

// author writes a random program: words and references are moved, computed with, stored in
// objects and fetched again, in loops, with jumps and calls. It ends with all registers in
// package-level variables, or with a panic.
type author struct {
	*rand.Rand
	prog  *code.Program
	fn    *code.Func
	depth int
}

func randomProgram(seed uint64) *code.Program {
	a := &author{Rand: rand.New(rand.NewPCG(seed, 0)), prog: &code.Program{
		Types: []*code.Type{nil}, Strings: []any{"", "hello, world"}, ErrorMethod: -1, StringMethod: -1, GoStringMethod: -1,
	}}
	for i := range 2 { // the type of run-time errors
		t := &code.Type{ID: int32(i + 1), Kind: code.String, Name: "string", R: 1}
		a.prog.Types = append(a.prog.Types, t)
		a.prog.RuntimeErrors[i] = t
	}
	for range results {
		a.prog.Globals = append(a.prog.Globals, code.Global{N: 1})
	}
	a.begin("main.init.0")
	a.prog.Init = a.fn
	a.begin("main.f")
	a.fn.ResN, a.fn.ArgN, a.fn.Clo = 1, 2, freeRef
	a.prog.Init.Aux[5].F = a.fn
	a.prelude()
	a.block(10)
	a.emit(code.RetN, a.word(), 0, 0, 0)
	a.fn = a.prog.Init
	a.prelude()
	a.block(30)
	for i := range results {
		a.emit(code.StoreGN, i, 0, 0, i)
	}
	a.emit(code.Ret, 0, 0, 0, 0)
	return a.prog
}

func (a *author) begin(name string) {
	a.fn = &code.Func{
		Index: len(a.prog.Funcs), Name: name, File: "random.go", N: windowN, R: windowR, Clo: -1, Epilogue: -1,
		Aux: []code.Aux{{I: [8]int32{8, 4}}, {I: [8]int32{sliceAtN, 1, scratchN, scratchN, 1, 0}}, {I: [8]int32{integers, 3, 2, 0, 3, 2}},
			{T: &code.Type{N: 1}, I: [8]int32{appended, freeRefs, appended, freeRefs, integers, 0}}, {I: [8]int32{appended, freeRefs, digest, scratchN, 1, 0}}, {}},
	}
	a.prog.Funcs = append(a.prog.Funcs, a.fn)
}

func (a *author) emit(op code.Op, x, y, z, d int) int {
	a.fn.Code = append(a.fn.Code, code.Instr{Op: op, A: uint16(x), B: uint16(y), C: uint16(z), D: int32(d)})
	return len(a.fn.Code) - 1
}

// land makes a jump go to what comes next.
func (a *author) land(at int) { a.fn.Code[at].D = int32(len(a.fn.Code) - at - 1) }

func (a *author) constant(w int, v uint64) {
	a.fn.K = append(a.fn.K, v)
	a.emit(code.LoadK, w, 0, 0, len(a.fn.K)-1)
}

// prelude makes an object, a slice and values to begin with.
func (a *author) prelude() {
	a.emit(code.New, 0, 0, 0, 0)
	a.emit(code.LoadI, scratchN, 0, 0, 8)
	a.emit(code.MakeSlice, 0, 0, 0, 1)
	a.emit(code.LoadI, digest, 0, 0, 0)
	a.emit(code.LoadI, scratchN, 0, 0, a.IntN(20))
	a.emit(code.MakeSlice, 0, 0, 0, 4)
	if a.fn == a.prog.Init {
		a.emit(code.Closure, windowR-1, 0, 0, 5)
	}
	a.emit(code.LoadS, 2, 0, 0, 1)
	for r := freeRef; r < freeRefs; r++ {
		a.emit([]code.Op{code.MovR, code.ZeroR}[a.IntN(2)], r, a.IntN(2), 1, 0)
	}
	for w := counters; w < reals; w++ {
		a.fresh(w)
	}
	a.emit(code.LoadI, digest, 0, 0, 1)
	odd := []float64{0, math.Copysign(0, -1), 1.5, -2.25, math.Inf(1), math.Inf(-1), 1e300, 1 << 63, -(1 << 63), 1 << 62, 0.1, math.NaN()}
	for w := reals; w < digest; w++ {
		a.constant(w, math.Float64bits(odd[a.IntN(len(odd))]))
	}
}

// fresh sets a word to something.
func (a *author) fresh(w int) {
	edges := []uint64{0, 1, math.MaxUint64, math.MaxInt64, 1 << 63, 63, 64, 255, 1 << 31, 1<<32 - 1}
	if a.IntN(2) == 0 {
		a.constant(w, edges[a.IntN(len(edges))])
	} else {
		a.constant(w, a.Uint64()>>a.IntN(64))
	}
}

func (a *author) word() int   { return integers + a.IntN(reals-integers) }
func (a *author) real() int   { return reals + a.IntN(digest-reals) }
func (a *author) either() int { return []int{a.word(), a.real()}[a.IntN(2)] }
func (a *author) ref() int    { return freeRef + a.IntN(freeRefs-freeRef) }

// block writes some statements.
func (a *author) block(n int) {
	for range n {
		switch k := a.IntN(20); {
		case k == 0 && a.depth < loopDepth:
			a.loop(n / 2)
		case k == 1 && a.depth < loopDepth:
			a.walk(n / 2)
		case k <= 2:
			a.skip(n / 2)
		case k == 3 && a.fn == a.prog.Init:
			a.emit(code.MovN, callAt+1, a.word(), 0, 0)
			a.emit(code.MovN, callAt+2, a.word(), 0, 0)
			a.emit([]code.Op{code.Call, code.CallC}[a.IntN(2)], callAt, windowR, windowR-1, 1)
			a.emit(code.MovN, a.word(), callAt, 0, 0)
		case k <= 7:
			a.access()
		case k <= 11:
			a.floats()
		case k == 12:
			a.references()
		case k == 13:
			a.fresh(a.word())
		case k == 14:
			a.multiple()
		default:
			w := a.arithmetic()
			a.emit(code.MulK, digest, digest, 0, 31) // so that the end shows what was overwritten
			a.emit(code.Xor, digest, digest, w, 0)
		}
	}
}

// loop counts down, so that it ends.
func (a *author) loop(n int) {
	w := counters + a.depth
	a.depth++
	a.emit(code.LoadI, w, 0, 0, 1+a.IntN(12))
	top := len(a.fn.Code)
	a.block(n)
	a.emit(code.AddK, w, w, 0, -1)
	back := a.emit(code.JGtK, w, 0, 0, 0)
	a.fn.Code[back].D = int32(top - back - 1)
	a.depth--
}

// walk goes along a slice, as far as it reaches. That may become less meanwhile; and seldom it
// begins before the first element.
func (a *author) walk(n int) {
	w := counters + a.depth
	a.depth++
	at, ref := sliceAtN, 1
	if a.IntN(2) == 0 {
		at, ref = appended, freeRefs
	}
	a.emit(code.LoadI, w, 0, 0, a.IntN(4)-a.IntN(16)/15)
	out := a.emit(code.JLe, at+1, w, 0, 0)
	top := len(a.fn.Code)
	if a.IntN(2) == 0 {
		a.emit(code.IdxN, a.word(), at, ref, w)
	} else {
		a.emit(code.LoadI, scratchN, 0, 0, a.IntN(100))
		a.emit(code.SetN, scratchN, at, ref, w)
	}
	if at == sliceAtN {
		a.block(n) // which may append to the other one, and that would never end
	} else if a.IntN(2) == 0 {
		a.reslice()
	}
	a.emit(code.AddK, w, w, 0, 1+a.IntN(3))
	back := a.emit([]code.Op{code.JLt, code.JLtU}[a.IntN(2)], w, at+1, 0, 0)
	a.fn.Code[back].D = int32(top - back - 1)
	a.land(out)
	a.depth--
}

// skip jumps over a block, if two words or floats compare.
func (a *author) skip(n int) {
	op := code.JT + code.Op(a.IntN(int(code.JSet-code.JT)+1))
	x, y := a.word(), a.word()
	switch {
	case op >= code.JEqF && op <= code.JNLeF:
		x, y = a.real(), a.real()
	case op >= code.JNil:
		x = a.ref()
	}
	at := a.emit(op, x, y, a.IntN(1<<16), 0)
	a.block(n)
	a.land(at)
}

// arithmetic computes a word.
func (a *author) arithmetic() (w int) {
	w = a.word()
	op := code.Add + code.Op(a.IntN(int(code.Zext32-code.Add)+1))
	if a.IntN(8) == 0 {
		op = code.Eq + code.Op(a.IntN(int(code.LeU-code.Eq)+1))
	}
	d := int(int32(a.Uint32())) >> a.IntN(32)
	switch op {
	case code.DivK, code.RemK:
		if d == 0 || d == -1 {
			d = 10
		}
	case code.ShlK, code.ShrSK, code.ShrUK:
		d = a.IntN(70)
	case code.Div, code.Rem, code.DivU, code.RemU: // seldom by 0
		if a.IntN(10) > 0 {
			y := a.word()
			a.emit(code.LoadI, y, 0, 0, []int{-1, 1, 3, -7, 1 << 20}[a.IntN(5)])
			a.emit(op, w, a.word(), y, 0)
			return w
		}
	case code.Shl, code.ShrS, code.ShrU: // often by little
		y := a.word()
		a.emit(code.AndK, y, y, 0, 127)
		a.emit(op, w, a.word(), y, 0)
		return w
	}
	a.emit(op, w, a.word(), a.word(), d)
	return w
}

// multiple asks whether a power of two divides a word.
func (a *author) multiple() {
	w, d := a.word(), 1<<a.IntN(5)
	if d > 1 && a.IntN(2) == 0 {
		d = -d
	}
	a.emit(code.RemK, w, a.word(), 0, d)
	at := a.emit([]code.Op{code.JEqK, code.JNeK}[a.IntN(2)], w, 0, 0, 0)
	a.emit(code.Not, digest, digest, 0, 0)
	a.land(at)
	if a.IntN(2) == 0 {
		a.fresh(w) // the rest is discarded
	}
}

func (a *author) floats() {
	switch op := code.AddF + code.Op(a.IntN(int(code.FtoU-code.AddF)+5)); {
	case op == code.ItoF, op == code.UtoF:
		a.emit(op, a.real(), a.word(), 0, a.IntN(2))
	case op == code.FtoI, op == code.FtoU:
		a.emit(op, a.word(), a.real(), 0, a.IntN(2))
	case op > code.FtoU:
		a.emit(code.EqF+op-code.FtoU-1, a.word(), a.real(), a.real(), 0)
	default:
		a.emit(op, a.real(), a.real(), a.real(), 0)
	}
}

// index is a word that is mostly less than 8.
func (a *author) index() int {
	w := a.word()
	if a.IntN(20) > 0 {
		a.emit(code.AndK, w, w, 0, 7)
	}
	return w
}

// access reads or writes the object, the slice, the string or a package-level variable.
func (a *author) access() {
	switch a.IntN(11) {
	case 10:
		a.reslice()
	case 9:
		a.emit(code.Append, 0, 0, 0, 3)
		i := a.index()
		a.emit([]code.Op{code.IdxN, code.SetN}[a.IntN(2)], a.word(), appended, freeRefs, i)
	case 0:
		a.emit(code.LoadN, a.word(), 0, 0, a.IntN(8))
	case 1:
		a.emit(code.StoreN, 0, a.either(), 0, a.IntN(8))
	case 2:
		i := a.index()
		a.emit(code.IdxN, a.word(), sliceAtN, 1, i)
	case 3:
		i := a.index()
		a.emit(code.SetN, a.word(), sliceAtN, 1, i)
	case 4:
		i := a.index()
		a.emit(code.ArrOff, scratchN, i, 0, 8)
		a.emit([]code.Op{code.ElemN, code.SElemN}[a.IntN(2)], a.word(), scratchN, 0, 1<<16)
	case 5:
		i := a.index()
		a.emit(code.IdxOff, scratchN, sliceAtN, i, 0)
		a.emit([]code.Op{code.ElemN, code.SElemN}[a.IntN(2)], a.word(), scratchN, 1, 1<<16)
	case 6:
		i := a.index()
		a.emit(code.IdxStr, a.word(), 2, i, 0)
		a.emit(code.LenStr, a.word(), []int{2, 2, 2, a.ref()}[a.IntN(3)], 0, 0)
	case 7:
		a.emit([]code.Op{code.LoadGN, code.StoreGN}[a.IntN(2)], a.word(), 0, 0, integers)
	default:
		a.emit([]code.Op{code.LoadV, code.StoreV}[a.IntN(2)], 0, 0, 0, 2)
		a.emit(code.MovNs, integers+a.IntN(3), integers+a.IntN(3), 3, 0)
	}
}

// reslice makes a copy of the slice of that which is appended to, or takes its first element away.
func (a *author) reslice() {
	if a.IntN(2) == 0 {
		a.emit(code.MovNs, appended, sliceAtN, 3, 0)
		a.emit(code.MovR, freeRefs, 1, 0, 0)
		return
	}
	empty := a.emit(code.JLeK, appended+1, 0, 0, 0)
	a.emit(code.AddK, appended, appended, 0, 1)
	a.emit(code.AddK, appended+1, appended+1, 0, -1)
	a.emit(code.AddK, appended+2, appended+2, 0, -1)
	a.land(empty)
}

// references moves references about, and stores them.
func (a *author) references() {
	switch a.IntN(7) {
	case 0:
		a.emit(code.MovR, a.ref(), a.IntN(freeRefs), 0, 0)
	case 1:
		a.emit(code.LoadR, a.ref(), 0, 0, a.IntN(4))
	case 2:
		a.emit(code.StoreR, 0, a.IntN(freeRefs), 0, a.IntN(4))
	case 3:
		a.emit(code.MovRs, freeRef+a.IntN(2), freeRef-1+a.IntN(2), 2, 0)
	case 4:
		a.emit(code.GPtr, a.ref(), 0, 0, a.IntN(results))
	case 5: // perhaps a nil pointer
		r := a.ref()
		if a.IntN(3) > 0 {
			a.emit(code.GPtr, r, 0, 0, a.IntN(reals))
		}
		a.emit(code.LoadN, a.word(), r, 0, 0)
		a.emit(code.StoreN, r, a.word(), 0, 0)
		a.emit(code.SetP0, a.IntN(freeRefs), 0, 0, 0)
	default:
		a.emit(code.LoadS, a.ref(), 0, 0, 1)
	}
}

// String names what a program left behind.
func leftBehind(m *Machine, err error) string {
	s := fmt.Sprintf("%v\n", err)
	for i, g := range m.globals {
		w := g.N[0]
		if i >= reals && i < digest && math.IsNaN(math.Float64frombits(w)) {
			s += fmt.Sprintf("%d: NaN\n", i) // which one, the processor chooses
			continue
		}
		s += fmt.Sprintf("%d: %#x\n", i, w)
	}
	return s
}
