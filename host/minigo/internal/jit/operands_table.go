package jit

import "github.com/selvage-dev/selvage/host/minigo/internal/code"

// format says where the operations from first to last have their operands. Each list names words,
// or references, of the window: a to d are the fields of the instruction, i0 to i7 those of its
// Aux. A size follows a colon: a number, one of these fields, * for the rest of the window, or a
// value of the Aux's type (T), of its keys (K) or elements (E). A word with ? is left out if its
// number is negative.
type format struct {
	first, last      code.Op
	uses, sets       string
	objects, setRefs string
	slice            kind // of a slice in words b to b+2 and reference c; oneWord if there is none
}

// direct are the operations without an Aux, except calls.
var direct = [...]format{
	{first: code.Nop, last: code.Nop},
	{first: code.MovN, last: code.MovN, uses: "b", sets: "a"},
	{first: code.MovR, last: code.MovR, setRefs: "a"},
	{first: code.MovNs, last: code.MovNs, uses: "b:c", sets: "a:c"},
	{first: code.MovRs, last: code.MovRs, setRefs: "a:c"},
	{first: code.LoadI, last: code.LoadK, sets: "a"},
	{first: code.LoadS, last: code.LoadS, setRefs: "a"},
	{first: code.ZeroN, last: code.ZeroN, sets: "a:c"},
	{first: code.ZeroR, last: code.ZeroR, setRefs: "a:c"},
	{first: code.Add, last: code.ShrU, uses: "b c", sets: "a"},
	{first: code.AddK, last: code.Zext32, uses: "b", sets: "a"},
	{first: code.AddF, last: code.DivF, uses: "b c", sets: "a"},
	{first: code.NegF, last: code.FtoU, uses: "b", sets: "a"},
	{first: code.Eq, last: code.LeF, uses: "b c", sets: "a"},
	{first: code.Jmp, last: code.Jmp},
	{first: code.JT, last: code.JF, uses: "a"},
	{first: code.JEq, last: code.JNLeF, uses: "a b"},
	{first: code.JEqK, last: code.JGeK, uses: "a"},
	{first: code.JNil, last: code.JSet},
	{first: code.LoadN, last: code.LoadN, sets: "a", objects: "b"},
	{first: code.LoadR, last: code.LoadR, setRefs: "a"},
	{first: code.StoreN, last: code.StoreN, uses: "b", objects: "a"},
	{first: code.StoreR, last: code.StoreR},
	{first: code.LoadGN, last: code.LoadGN, sets: "a"},
	{first: code.LoadGR, last: code.LoadGR, setRefs: "a"},
	{first: code.StoreGN, last: code.StoreGN, uses: "a"},
	{first: code.StoreGR, last: code.StoreGR},
	{first: code.GPtr, last: code.Capt, setRefs: "a"},
	{first: code.SetP0, last: code.SetP0},
	{first: code.IdxN, last: code.IdxN, uses: "b:2 d", sets: "a", slice: aSlice},
	{first: code.IdxR, last: code.IdxR, uses: "b:2 d", setRefs: "a", slice: ofRefs},
	{first: code.SetN, last: code.SetN, uses: "a b:2 d", slice: aSlice},
	{first: code.SetR, last: code.SetR, uses: "b:2 d", slice: ofRefs},
	{first: code.IdxOff, last: code.IdxOff, uses: "b:2 c", sets: "a"},
	{first: code.ArrOff, last: code.ArrOff, uses: "b", sets: "a"},
	{first: code.ElemN, last: code.ElemN, uses: "b", sets: "a", objects: "c"},
	{first: code.ElemR, last: code.ElemR, uses: "b", setRefs: "a"},
	{first: code.SElemN, last: code.SElemN, uses: "a b", objects: "c"},
	{first: code.SElemR, last: code.SElemR, uses: "b"},
	{first: code.IdxStr, last: code.IdxStr, uses: "c", sets: "a"},
	{first: code.LenStr, last: code.LenStr, sets: "a"},

	{first: code.Spend, last: code.Spend},
	{first: code.EqS, last: code.EqP, sets: "a"},
	{first: code.Concat, last: code.Concat},
	{first: code.StrRune, last: code.StrRune, uses: "b"},
	{first: code.StrBytes, last: code.StrRunes, uses: "b:3"},
	{first: code.BytesStr, last: code.RunesStr, sets: "a:3"},
	{first: code.NextRune, last: code.NextRune, uses: "c"}, // defines nothing if it jumps
	{first: code.MinMaxF, last: code.MinMaxF, uses: "b c", sets: "a"},
	{first: code.ShiftOK, last: code.ShiftOK, uses: "a"},
	{first: code.TypeNum, last: code.TypeNum, uses: "b", sets: "a"},
	{first: code.MapLen, last: code.MapLen, sets: "a"},
	{first: code.MapClr, last: code.MapIter},
	{first: code.Native, last: code.Native, uses: "a:*"},
	{first: code.RetDefer, last: code.RetDefer},
	{first: code.Recover, last: code.Recover, sets: "a:2"},
	{first: code.Panic, last: code.Panic, uses: "a:2"},
	{first: code.Close, last: code.Close},
	{first: code.LenChan, last: code.CapChan, sets: "a"},
	{first: code.Yield, last: code.Halt},
}

// withAux are the operations with an Aux. A MapNext defines nothing at the end, and what a Select
// defines depends on the case.
var withAux = [...]format{
	{first: code.EqT, last: code.EqT, uses: "i0:T i2:T", sets: "a"},
	{first: code.EqIfc, last: code.EqIfc, uses: "b:2 c:2", sets: "a"},
	{first: code.LoadV, last: code.LoadV, sets: "i0:i4", setRefs: "i1:i5"},
	{first: code.StoreV, last: code.StoreV, uses: "i0:i4"},
	{first: code.LoadE, last: code.LoadE, uses: "b", sets: "i0:i4", setRefs: "i1:i5"},
	{first: code.StoreE, last: code.StoreE, uses: "b i0:i4"},
	{first: code.View, last: code.View},
	{first: code.ViewE, last: code.ViewE, uses: "c"},
	{first: code.Clone, last: code.New},
	{first: code.SliceStr, last: code.SliceStr, uses: "?i0 ?i1"},
	{first: code.MakeSlice, last: code.MakeSlice, uses: "i2 i3", sets: "i0:3"},
	{first: code.SliceOf, last: code.SliceOf, uses: "i2:3 ?i4 ?i5 ?i6", sets: "i0:3"},
	{first: code.SliceArr, last: code.SliceArr, uses: "?i3 ?i4 ?i5", sets: "i0:3"},
	{first: code.Append, last: code.Append, uses: "i2:3 i4:T", sets: "i0:3"},
	{first: code.AppendS, last: code.AppendS, uses: "i2:3 i4:3", sets: "i0:3"},
	{first: code.AppendStr, last: code.AppendStr, uses: "i2:3", sets: "i0:3"},
	{first: code.Copy, last: code.Copy, uses: "i1:3 i3:3", sets: "i0"},
	{first: code.CopyStr, last: code.CopyStr, uses: "i1:3", sets: "i0"},
	{first: code.ClearS, last: code.ClearS, uses: "a:3"},
	{first: code.Box, last: code.Box, uses: "i0:T", sets: "a:2"},
	{first: code.Unbox, last: code.Unbox, uses: "i3:2", sets: "i0:T ?i2"},
	{first: code.Assert, last: code.Assert, uses: "i3:2", sets: "i0:2 ?i2"},
	{first: code.TypeIs, last: code.TypeIs, uses: "a", sets: "b"},
	{first: code.MakeMap, last: code.MakeMap},
	{first: code.MapGet, last: code.MapGet, uses: "i4:K", sets: "i0:E ?i2"},
	{first: code.MapSet, last: code.MapSet, uses: "i4:K i0:E"},
	{first: code.MapDel, last: code.MapDel, uses: "i4:K"},
	{first: code.MapNext, last: code.MapNext},
	{first: code.Closure, last: code.Closure},
	{first: code.Go, last: code.Defer, uses: "i0:i3"},
	{first: code.Print, last: code.Print},
	{first: code.MakeChan, last: code.MakeChan, uses: "b"},
	{first: code.Send, last: code.Send, uses: "i1:T"},
	{first: code.Recv, last: code.Recv, sets: "i0:T ?i2"},
	{first: code.Select, last: code.Select},
}
