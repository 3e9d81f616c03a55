package jit

import "github.com/selvage-dev/selvage/host/minigo/internal/code"

// usesNoAux lists the operations outside the loop that need no Aux.
func usesNoAux(op code.Op) bool {
	switch op {
	case code.EqS, code.LtS, code.LeS, code.EqR, code.EqP, code.Concat, code.StrRune, code.StrBytes, code.StrRunes,
		code.BytesStr, code.RunesStr, code.NextRune, code.MinMaxF, code.ShiftOK, code.TypeNum, code.MapLen, code.MapClr,
		code.MapIter, code.Native, code.RetDefer, code.Recover, code.Panic, code.Close, code.LenChan, code.CapChan, code.Yield, code.Halt:
		return true
	}
	return false
}

func (o *operands) plain(in *code.Instr, fn *code.Func) bool {
	a, b, c := int32(in.A), int32(in.B), int32(in.C)
	switch in.Op {
	case code.EqS, code.LtS, code.LeS, code.EqR, code.EqP, code.MapLen, code.LenChan, code.CapChan:
		o.set(int(a))
	case code.StrRune:
		o.use(int(b))
	case code.StrBytes, code.StrRunes:
		o.useSpan(b, 3)
	case code.BytesStr, code.RunesStr:
		o.setSpan(a, 3)
	case code.NextRune: // defines nothing if it jumps
		o.use(int(c))
	case code.MinMaxF:
		o.use(int(b), int(c))
		o.set(int(a))
	case code.ShiftOK:
		o.use(int(a))
	case code.TypeNum:
		o.use(int(b))
		o.set(int(a))
	case code.Native:
		o.useSpan(a, int32(fn.N)-a)
	case code.Recover:
		o.setSpan(a, 2)
	case code.Panic:
		o.useSpan(a, 2)
	}
	return true
}

// values covers the operations from EqT to RunesStr that have an Aux.
func (o *operands) values(in *code.Instr, x *code.Aux) bool {
	i := &x.I
	switch in.Op {
	case code.EqT:
		if x.T == nil {
			return false
		}
		o.useSpan(i[0], int32(x.T.N))
		o.useSpan(i[2], int32(x.T.N))
		o.set(int(in.A))
	case code.EqIfc:
		o.useSpan(int32(in.B), 2)
		o.useSpan(int32(in.C), 2)
		o.set(int(in.A))
	case code.LoadV:
		o.setSpan(i[0], i[4])
		o.setRefs = []span{{int(i[1]), int(i[5])}}
	case code.StoreV:
		o.useSpan(i[0], i[4])
	case code.LoadE:
		o.use(int(in.B))
		o.setSpan(i[0], i[4])
		o.setRefs = []span{{int(i[1]), int(i[5])}}
	case code.StoreE:
		o.use(int(in.B))
		o.useSpan(i[0], i[4])
	case code.View, code.Clone, code.New:
	case code.ViewE:
		o.use(int(in.C))
	case code.SliceStr:
		o.useIf(i[0], i[1])
	default:
		return false
	}
	return true
}

// slices covers the operations on slices.
func (o *operands) slices(fn *code.Func, in *code.Instr, x *code.Aux) bool {
	i := &x.I
	switch in.Op {
	case code.MakeSlice:
		o.use(int(i[2]), int(i[3]))
		o.setSpan(i[0], 3)
	case code.SliceOf:
		o.useSpan(i[2], 3)
		o.useIf(i[4], i[5], i[6])
		o.setSpan(i[0], 3)
	case code.SliceArr:
		o.useIf(i[3], i[4], i[5])
		o.setSpan(i[0], 3)
	case code.Append:
		if x.T == nil {
			return false
		}
		o.useSpan(i[2], 3)
		o.useSpan(i[4], int32(x.T.N))
		o.setSpan(i[0], 3)
		if quick(fn, in) {
			o.objects = []span{{int(i[3]), 1}}
		}
	case code.AppendS:
		o.useSpan(i[2], 3)
		o.useSpan(i[4], 3)
		o.setSpan(i[0], 3)
	case code.AppendStr:
		o.useSpan(i[2], 3)
		o.setSpan(i[0], 3)
	case code.Copy, code.CopyStr:
		o.useSpan(i[1], 3)
		if in.Op == code.Copy {
			o.useSpan(i[3], 3)
		}
		o.set(int(i[0]))
	case code.ClearS:
		o.useSpan(int32(in.A), 3)
	default:
		return false
	}
	return true
}

// others covers interfaces, maps, closures and channels.
func (o *operands) others(in *code.Instr, x *code.Aux) bool {
	i := &x.I
	switch in.Op {
	case code.Box:
		o.useSpan(i[0], size(x.T))
		o.setSpan(int32(in.A), 2)
	case code.Unbox:
		o.useSpan(i[3], 2)
		o.setSpan(i[0], size(x.T))
		o.setIf(i[2])
	case code.Assert:
		o.useSpan(i[3], 2)
		o.setSpan(i[0], 2)
		o.setIf(i[2])
	case code.TypeIs:
		o.use(int(in.A))
		o.set(int(in.B))
	case code.MakeMap, code.MapNext, code.Closure: // MapNext defines nothing at the end
	case code.MapGet, code.MapSet, code.MapDel:
		return o.maps(in, x)
	case code.Go, code.Defer:
		o.useSpan(i[0], i[3])
		if i[2] == spawnMethod {
			o.useSpan(i[5], 2)
		}
	case code.Print:
		for _, s := range x.List {
			o.useSpan(s.N, size(s.T))
		}
	case code.MakeChan:
		o.use(int(in.B))
	case code.Send:
		o.useSpan(i[1], size(x.T))
	case code.Recv:
		o.setSpan(i[0], size(x.T))
		o.setIf(i[2])
	case code.Select: // what it defines depends on the case
		for _, s := range x.List {
			if s.Kind == caseSend {
				o.useSpan(s.N, size(s.T))
			}
		}
	default:
		return false
	}
	return true
}

// The meaning of I[2] of a Go or Defer, and of the kind of a case; see package vm.
const (
	spawnMethod = 2
	caseSend    = 1
)

func (o *operands) maps(in *code.Instr, x *code.Aux) bool {
	if x.T == nil || x.T.Key == nil || x.T.Elem == nil {
		return false
	}
	o.useSpan(x.I[4], int32(x.T.Key.N))
	switch in.Op {
	case code.MapGet:
		o.setSpan(x.I[0], int32(x.T.Elem.N))
		o.setIf(x.I[2])
	case code.MapSet:
		o.useSpan(x.I[0], int32(x.T.Elem.N))
	}
	return true
}

func size(t *code.Type) int32 {
	if t == nil {
		return 0
	}
	return int32(t.N)
}
