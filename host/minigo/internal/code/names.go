package code

import "strings"

// String is the name of the operation.
func (op Op) String() string {
	if op >= ops {
		return "?"
	}
	return names()[op]
}

// names are the names in the order of the operations.
func names() []string {
	return strings.Fields(`
		Nop MovN MovR MovNs MovRs LoadI LoadK LoadS ZeroN ZeroR Add Sub Mul Div Rem DivU RemU And Or
		Xor AndNot Shl ShrS ShrU AddK MulK DivK RemK AndK ShlK ShrSK ShrUK Neg Not Flip Sext8 Sext16
		Sext32 Zext8 Zext16 Zext32 AddF SubF MulF DivF NegF Rnd32 SqrtF ItoF UtoF FtoI FtoU Eq Ne LtI
		LeI LtU LeU EqF NeF LtF LeF Jmp JT JF JEq JNe JLt JLe JLtU JLeU JEqF JNeF JLtF JLeF JNLtF
		JNLeF JEqK JNeK JLtK JLeK JGtK JGeK JNil JSet LoadN LoadR StoreN StoreR LoadGN LoadGR StoreGN
		StoreGR GPtr Capt SetP0 IdxN IdxR SetN SetR IdxOff ArrOff ElemN ElemR SElemN SElemR IdxStr
		LenStr Call CallC CallI Ret RetN Cold Spend EqS LtS LeS EqR EqP EqT EqIfc LoadV StoreV LoadE StoreE View
		ViewE Clone New Concat SliceStr StrRune StrBytes StrRunes BytesStr RunesStr NextRune
		MakeSlice SliceOf SliceArr Append AppendS AppendStr Copy CopyStr MinMaxF ClearS SlicePtr
		ShiftOK Box Unbox Assert TypeIs TypeNum MakeMap MapGet MapSet MapDel MapLen MapClr MapIter
		MapNext Native Closure Go Defer RetDefer Recover Panic Print MakeChan Send Recv Close LenChan
		CapChan Select Yield Point Halt Watch Sampled`)
}
