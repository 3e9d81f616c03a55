package jit

import (
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

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

func (o *operands) useSpan(at, n int32) { o.uses = append(o.uses, span{int(at), int(n)}) }
func (o *operands) setSpan(at, n int32) { o.sets = append(o.sets, span{int(at), int(n)}) }

// operandsOf returns the operands of an instruction. ok is false if the operation is unknown, or
// its Aux does not exist.
func operandsOf(fn *code.Func, in *code.Instr, funcs []*code.Func) (o operands, ok bool) {
	if in.Op >= code.Call && in.Op < code.Cold {
		return o, o.calls(fn, in, funcs)
	}
	r := reader{fn: fn, in: in}
	if f := find(direct[:], in.Op); f != nil {
		return r.operands(f), true
	}
	f := find(withAux[:], in.Op)
	if f == nil || in.D < 0 || int(in.D) >= len(fn.Aux) {
		return o, false
	}
	if r.aux = &fn.Aux[in.D]; !r.typed() {
		return o, false
	}
	o = r.operands(f)
	r.others(&o)
	return o, true
}

func find(formats []format, op code.Op) *format {
	for i := range formats {
		if f := &formats[i]; f.first <= op && op <= f.last {
			return f
		}
	}
	return nil
}

// reader reads the operands of one instruction.
type reader struct {
	fn  *code.Func
	in  *code.Instr
	aux *code.Aux
}

func (r *reader) operands(f *format) operands {
	o := operands{uses: r.spans(f.uses), sets: r.spans(f.sets), objects: r.spans(f.objects), setRefs: r.spans(f.setRefs)}
	if f.slice != oneWord {
		o.slice = candidate{f.slice, int(r.in.B), int(r.in.C)}
	}
	return o
}

func (r *reader) spans(list string) (spans []span) {
	for text := range strings.FieldsSeq(list) {
		from, size, sized := strings.Cut(text, ":")
		s := span{r.number(strings.TrimPrefix(from, "?")), 1}
		if sized {
			s.n = r.number(size)
		}
		if s.at >= 0 || from[0] != '?' {
			spans = append(spans, s)
		}
	}
	return spans
}

// number is one number of a format; see format.
func (r *reader) number(text string) int {
	switch c := text[0]; c {
	case 'a':
		return int(r.in.A)
	case 'b':
		return int(r.in.B)
	case 'c':
		return int(r.in.C)
	case 'd':
		return int(r.in.D)
	case 'i':
		return int(r.aux.I[text[1]-'0'])
	case 'T':
		return int(size(r.aux.T))
	case 'K':
		return r.aux.T.Key.N
	case 'E':
		return r.aux.T.Elem.N
	case '*':
		return r.fn.N - int(r.in.A)
	default:
		return int(c - '0')
	}
}

// typed reports whether the Aux has the types that the operation needs.
func (r *reader) typed() bool {
	t := r.aux.T
	switch op := r.in.Op; {
	case op == code.EqT, op == code.Append:
		return t != nil
	case op >= code.MapGet && op <= code.MapDel:
		return t != nil && t.Key != nil && t.Elem != nil
	}
	return true
}

// The meaning of I[2] of a Go or Defer, and of the kind of a case; see package vm.
const (
	spawnMethod = 2
	caseSend    = 1
)

// others adds what no format says.
func (r *reader) others(o *operands) {
	i := &r.aux.I
	switch op := r.in.Op; {
	case op == code.Append && quick(r.fn, r.in):
		o.objects = []span{{int(i[3]), 1}}
	case (op == code.Go || op == code.Defer) && i[2] == spawnMethod:
		o.useSpan(i[5], 2)
	case op == code.Print, op == code.Select:
		for _, s := range r.aux.List {
			if op == code.Print || s.Kind == caseSend {
				o.useSpan(s.N, size(s.T))
			}
		}
	}
}

func size(t *code.Type) int32 {
	if t == nil {
		return 0
	}
	return int32(t.N)
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
		o.useSpan(a, 1)
		o.useSpan(1, max(0, int32(fn.ResN)-1))
	default:
		return false
	}
	return true
}
