package jit

import "github.com/selvage-dev/selvage/host/minigo/internal/code"

// span is a range of consecutive words of the window.
type span struct{ at, n int }

// operands are the words an instruction uses and defines, the references whose objects' words it
// accesses, and the references it defines. What it defines only on some paths is not listed as
// defined. The references of instructions that the machine executes are not listed: such an
// instruction may define any.
type operands struct {
	uses, sets       []span
	objects, setRefs []span
	slice            candidate // the slice of the element it accesses, if it accesses one
}

func (o *operands) use(words ...int) {
	for _, w := range words {
		o.uses = append(o.uses, span{w, 1})
	}
}

func (o *operands) set(words ...int) {
	for _, w := range words {
		o.sets = append(o.sets, span{w, 1})
	}
}

func (o *operands) useSpan(at, n int32) { o.uses = append(o.uses, span{int(at), int(n)}) }
func (o *operands) setSpan(at, n int32) { o.sets = append(o.sets, span{int(at), int(n)}) }

// useIf adds the words that are not negative: a negative operand is absent.
func (o *operands) useIf(words ...int32) {
	for _, w := range words {
		if w >= 0 {
			o.use(int(w))
		}
	}
}

func (o *operands) setIf(word int32) {
	if word >= 0 {
		o.set(int(word))
	}
}

// operandsOf returns the operands of an instruction. ok is false if the operation is unknown, or
// its Aux does not exist.
func operandsOf(fn *code.Func, in *code.Instr, funcs []*code.Func) (o operands, ok bool) {
	switch {
	case in.Op < code.Call:
		o.refs(in)
		return o, o.simple(in)
	case in.Op < code.Cold:
		return o, o.calls(fn, in, funcs)
	case usesNoAux(in.Op):
		return o, o.plain(in, fn)
	}
	if in.D < 0 || int(in.D) >= len(fn.Aux) {
		return o, false
	}
	x := &fn.Aux[in.D]
	switch {
	case in.Op <= code.RunesStr:
		return o, o.values(in, x)
	case in.Op <= code.CopyStr || in.Op == code.ClearS:
		return o, o.slices(fn, in, x)
	}
	return o, o.others(in, x)
}

// simple covers the operations that the interpreter's loop executes, except calls.
func (o *operands) simple(in *code.Instr) bool {
	a, b, c, d := int(in.A), int(in.B), int(in.C), int(in.D)
	switch op := in.Op; {
	case op == code.Nop, op == code.MovR, op == code.MovRs, op == code.LoadS, op == code.ZeroR, op == code.Jmp,
		op == code.JNil, op == code.JSet, op == code.LoadR, op == code.StoreR, op >= code.LoadGR && op <= code.SetP0 && op != code.StoreGN:
	case op == code.MovNs:
		o.useSpan(int32(b), int32(c))
		o.setSpan(int32(a), int32(c))
	case op == code.ZeroN:
		o.setSpan(int32(a), int32(c))
	case op == code.LoadI, op == code.LoadK, op == code.LoadN, op == code.LoadGN, op == code.LenStr:
		o.set(a)
	case op == code.MovN, op >= code.AddK && op <= code.Zext32, op >= code.NegF && op <= code.FtoU, op == code.ArrOff, op == code.ElemN:
		o.use(b)
		o.set(a)
	case op >= code.Add && op <= code.ShrU, op >= code.AddF && op <= code.DivF, op >= code.Eq && op <= code.LeF:
		o.use(b, c)
		o.set(a)
	case op == code.JT, op == code.JF, op >= code.JEqK && op <= code.JGeK, op == code.StoreGN:
		o.use(a)
	case op >= code.JEq && op <= code.JNLeF:
		o.use(a, b)
	case op == code.StoreN, op == code.ElemR, op == code.SElemR:
		o.use(b)
	case op == code.IdxN:
		o.use(b, b+1, d)
		o.set(a)
	case op == code.IdxR, op == code.SetR:
		o.use(b, b+1, d)
	case op == code.SetN:
		o.use(a, b, b+1, d)
	case op == code.IdxOff:
		o.use(b, b+1, c)
		o.set(a)
	case op == code.SElemN:
		o.use(a, b)
	case op == code.IdxStr:
		o.use(c)
		o.set(a)
	default:
		return false
	}
	return true
}

// refs covers the references of the operations that the interpreter's loop executes.
func (o *operands) refs(in *code.Instr) {
	a, b, c := int(in.A), int(in.B), int(in.C)
	switch in.Op {
	case code.MovR, code.LoadS, code.LoadR, code.LoadGR, code.GPtr, code.Capt, code.IdxR, code.ElemR:
		o.setRefs = []span{{a, 1}}
	case code.MovRs, code.ZeroR:
		o.setRefs = []span{{a, c}}
	case code.LoadN:
		o.objects = []span{{b, 1}}
	case code.StoreN:
		o.objects = []span{{a, 1}}
	case code.ElemN, code.SElemN:
		o.objects = []span{{c, 1}}
	}
	switch in.Op {
	case code.IdxN, code.SetN:
		o.slice = candidate{aSlice, b, c}
	case code.IdxR, code.SetR:
		o.slice = candidate{ofRefs, b, c}
	}
}

// calls use their arguments; the window from there on belongs to the callee.
func (o *operands) calls(fn *code.Func, in *code.Instr, funcs []*code.Func) bool {
	a, rest := int32(in.A), int32(fn.N)-int32(in.A)
	switch in.Op {
	case code.Call:
		if in.D < 0 || int(in.D) >= len(funcs) {
			return false
		}
		callee := funcs[in.D]
		o.useSpan(a+int32(callee.ResN), int32(callee.ArgN))
		o.setSpan(a, rest)
	case code.CallC:
		o.useSpan(a, rest)
		o.setSpan(a, rest)
	case code.CallI:
		if in.D < 0 || int(in.D) >= len(fn.Aux) {
			return false
		}
		o.useSpan(a, rest)
		o.useSpan(int32(in.C), 2)
		o.setSpan(a, rest)
	case code.Ret:
		o.useSpan(0, int32(fn.ResN))
	case code.RetN:
		o.use(int(in.A))
		o.useSpan(1, max(0, int32(fn.ResN)-1))
	default:
		return false
	}
	return true
}
