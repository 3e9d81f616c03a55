package vm

import (
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// accessor tells the detector which memory an instruction is about to access. What the instruction
// will panic over is no access.
type accessor struct {
	w      *watcher
	t      *race.Thread // nil if the access is none that can race
	atomic bool
	what   string
}

func (a accessor) instruction(fn *code.Func, in *code.Instr, n []uint64, r []any) {
	switch op := in.Op; {
	case op <= code.StoreGR:
		a.variable(in, r)
	case op <= code.SElemR:
		a.element(in, n, r)
	case op <= code.Clone:
		a.value(in, &fn.Aux[in.D], n, r)
	case op == code.StrBytes || op == code.StrRunes:
		a.slice(false, sliceAt(n, r, int(in.B), int(in.C)), word1())
	case op <= code.ClearS:
		a.slices(in, &fn.Aux[in.D], n, r)
	default:
		a.mapping(fn, in, r)
	}
}

func word1() *code.Type { return &code.Type{N: 1} }

// variable is an access at a fixed offset of an object, or of a global.
func (a accessor) variable(in *code.Instr, r []any) {
	switch in.Op {
	case code.LoadN, code.LoadR:
		a.single(in.Op == code.LoadN, false, r[in.B], int(in.D))
	case code.StoreN, code.StoreR:
		a.single(in.Op == code.StoreN, true, r[in.A], int(in.D))
	case code.LoadGN, code.LoadGR:
		a.single(in.Op == code.LoadGN, false, a.w.m.globals[in.D], 0)
	case code.StoreGN, code.StoreGR:
		a.single(in.Op == code.StoreGN, true, a.w.m.globals[in.D], 0)
	}
}

// element is an access of one word or reference at an index.
func (a accessor) element(in *code.Instr, n []uint64, r []any) {
	switch in.Op {
	case code.IdxN, code.IdxR, code.SetN, code.SetR:
		if i := n[in.D]; i < n[in.B+1] {
			a.single(in.Op == code.IdxN || in.Op == code.SetN, in.Op == code.SetN || in.Op == code.SetR, r[in.C], int(n[in.B]+i))
		}
	case code.ElemN, code.ElemR, code.SElemN, code.SElemR:
		at := int(n[in.B])*int(in.D>>16) + int(in.D&0xffff)
		a.single(in.Op == code.ElemN || in.Op == code.SElemN, in.Op == code.SElemN || in.Op == code.SElemR, r[in.C], at)
	}
}

// value is an access of several words and references.
func (a accessor) value(in *code.Instr, x *code.Aux, n []uint64, r []any) {
	switch in.Op {
	case code.LoadV:
		a.part(false, r[in.B], int(x.I[2]), int(x.I[3]), int(x.I[4]), int(x.I[5]))
	case code.StoreV:
		a.part(true, r[in.A], int(x.I[2]), int(x.I[3]), int(x.I[4]), int(x.I[5]))
	case code.LoadE, code.StoreE:
		i := int(n[in.B])
		a.part(in.Op == code.StoreE, r[in.C], int(x.I[2])+i*int(x.I[6]), int(x.I[3])+i*int(x.I[7]), int(x.I[4]), int(x.I[5]))
	case code.Clone:
		a.part(false, r[in.B], int(x.I[0]), int(x.I[1]), int(x.I[2]), int(x.I[3]))
	}
}

func (a accessor) slices(in *code.Instr, x *code.Aux, n []uint64, r []any) {
	switch in.Op {
	case code.Append:
		a.appends(x, 1, n, r)
	case code.AppendS:
		more := sliceAt(n, r, int(x.I[4]), int(x.I[5]))
		a.slice(false, more, x.T)
		a.appends(x, more.Len, n, r)
	case code.AppendStr:
		a.appends(x, len(value.Str(r[x.I[5]])), n, r)
	case code.Copy, code.CopyStr:
		t, d := x.T, sliceAt(n, r, int(x.I[1]), int(x.I[2]))
		if in.Op == code.CopyStr {
			t = word1()
			d.Len = min(d.Len, len(value.Str(r[x.I[4]])))
		} else {
			s := sliceAt(n, r, int(x.I[3]), int(x.I[4]))
			d.Len = min(d.Len, s.Len)
			s.Len = d.Len
			a.slice(false, s, t)
		}
		a.slice(true, d, t)
	case code.ClearS:
		a.slice(true, sliceAt(n, r, int(in.A), int(in.B)), x.T)
	}
}

// appends is an append of so many elements: it writes them into the slice's array, or reads the
// elements that it copies into a larger one.
func (a accessor) appends(x *code.Aux, more int, n []uint64, r []any) {
	s := sliceAt(n, r, int(x.I[2]), int(x.I[3]))
	switch {
	case more == 0:
	case s.Len+more <= s.Cap:
		a.slice(true, lib.Slice{Object: s.Object, Off: s.Off + s.Len, Len: more}, x.T)
	default:
		a.slice(false, s, x.T)
	}
}

func (a accessor) slice(write bool, s lib.Slice, t *code.Type) {
	if s.Object != nil {
		a.part(write, s.Object, s.Off*t.N, s.Off*t.R, s.Len*t.N, s.Len*t.R)
	}
}

// mapping is an access of a map, which counts as one word.
func (a accessor) mapping(fn *code.Func, in *code.Instr, r []any) {
	var ref any
	switch in.Op {
	case code.MapGet, code.MapSet, code.MapDel:
		ref = r[fn.Aux[in.D].I[3]]
	case code.MapLen, code.MapIter:
		ref = r[in.B]
	case code.MapClr:
		ref = r[in.A]
	case code.MapNext:
		ref = r[fn.Aux[in.D].I[0]].(*value.Iterator).Map()
	}
	if m, ok := ref.(*value.Map); ok && m != nil {
		a.w.whole(a.t, kindOf(in.Op == code.MapSet || in.Op == code.MapDel || in.Op == code.MapClr, a.atomic), a.what, m)
	}
}

// single is an access of a word, or of a reference.
func (a accessor) single(isWord, write bool, ref any, at int) {
	if isWord {
		a.part(write, ref, at, 0, 1, 0)
	} else {
		a.part(write, ref, 0, at, 0, 1)
	}
}

// part is an access of a part of an object. An atomic read is ordered after the write whose value it
// reads.
func (a accessor) part(write bool, ref any, offN, offR, n, r int) {
	o, _ := ref.(*value.Object)
	if o == nil || n+r == 0 {
		return
	}
	k := kindOf(write, a.atomic)
	words, refs := o.N[offN:offN+n], o.R[offR:offR+r]
	a.w.words(a.t, k, a.what, words, refs)
	if !a.atomic || a.t == nil {
		return
	}
	key := value.AddressOf(&value.Object{N: words, R: refs})
	if write {
		a.w.races.Release(a.t, key)
	} else {
		a.w.races.Acquire(a.t, key)
	}
}

func kindOf(write, atomic bool) race.Kind {
	switch {
	case write && atomic:
		return race.AtomicWrite
	case write:
		return race.Write
	case atomic:
		return race.AtomicRead
	}
	return race.Read
}
