package jit

import (
	"math/bits"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// Registers that mean the same in all code. The scratch registers are free between
// instructions; so are X0 and X1.
const (
	words   = amd64.BX  // where the words of the window begin
	context = amd64.R14 // the execmem.Context
	budget  = amd64.R15
	scratch = amd64.AX
	second  = amd64.CX
	third   = amd64.DX
)

// firstFloat is the first register for words that are floats.
const firstFloat amd64.Xmm = 2

// floats is how many there are.
const floats = 14

// general are the registers for other words.
func general() []amd64.Reg {
	return []amd64.Reg{amd64.SI, amd64.DI, amd64.R8, amd64.R9, amd64.R10, amd64.R11, amd64.R12, amd64.R13}
}

// assignment maps each candidate to its register.
type assignment struct {
	place []amd64.Arg // the register of each candidate that has one
	size  []amd64.Reg // of an object: the second register, which holds its length in words
	all   set         // the candidates that have a register
}

// assign does register allocation: the candidates that gain most get registers. Two candidates
// with disjoint live ranges may share one.
func assign(f *flow) *assignment { return f.assign(general(), firstFloat, 1) }

// assignLeaf does the same for an inlined function. It allocates from the end of the list, so
// that the caller's values in the first registers stay where they are.
func assignLeaf(f *flow) *assignment {
	regs := general()
	slices.Reverse(regs)
	return f.assign(regs, firstFloat+floats-1, -1)
}

// assign allocates float registers from number one on, upward or downward.
func (f *flow) assign(regs []amd64.Reg, float amd64.Xmm, step int) *assignment {
	a := &assignment{place: make([]amd64.Arg, len(f.list)), size: make([]amd64.Reg, len(f.list))}
	gain, isFloat := f.gains()
	order := make([]int, len(f.list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return gain[j] - gain[i] })
	apart := f.conflicts()
	inUse := make([]set, len(regs)+floats)
	for _, i := range order {
		if gain[i] <= 0 {
			break
		}
		from, to, want := 0, len(regs), 1
		switch {
		case isFloat[i]:
			from, to = len(regs), len(inUse)
		case f.list[i].kind == anObject:
			want = 2
		}
		free := freeAmong(inUse[from:to], apart[i], want)
		if len(free) < want {
			continue
		}
		a.all |= 1 << i
		for _, r := range free {
			inUse[from+r] |= 1 << i
		}
		if isFloat[i] {
			a.place[i] = amd64.InX(amd64.Xmm(int(float) + step*free[0]))
			continue
		}
		a.place[i], a.size[i] = amd64.In(regs[free[0]]), regs[free[want-1]]
	}
	return a
}

// has reports whether a word lives in the register.
func (a *assignment) has(register amd64.Arg) bool {
	for i, place := range a.place {
		if a.all.has(i) && place == register {
			return true
		}
	}
	return false
}

// freeAmong returns registers that no candidate of the set occupies.
func freeAmong(inUse []set, apart set, want int) (free []int) {
	for r, by := range inUse {
		if by&apart == 0 && len(free) < want {
			free = append(free, r)
		}
	}
	return free
}

// conflicts is the interference graph: two candidates cannot share a register if one is set while
// the other is live, or if both are live at an entry point.
func (f *flow) conflicts() []set {
	apart := make([]set, len(f.list))
	meet := func(sets, alive set) {
		for s := sets; s != 0; s &= s - 1 {
			i := bits.TrailingZeros64(uint64(s))
			apart[i] |= alive
			for v := alive; v != 0; v &= v - 1 {
				apart[bits.TrailingZeros64(uint64(v))] |= 1 << i
			}
		}
	}
	for pc := range f.fn.Code {
		after := f.liveAfter(pc)
		meet(f.sets[pc], after|f.sets[pc])
		if f.fn.Code[pc].Op == code.MovNs { // MovNs sets words before it has read all its operands
			meet(f.sets[pc], f.uses[pc])
		}
		if f.sync(pc) {
			meet(after, after)
		}
	}
	meet(f.live[0], f.live[0])
	for i := range apart {
		apart[i] &^= 1 << i
	}
	return apart
}

// What a register for an object or a slice saves per access, and what loading it again costs, in
// word accesses. An object counts half, because it takes two registers.
const (
	objectGain = 2
	objectCost = 3
	sliceGain  = 4
	sliceCost  = 9
)

// gains estimates what each candidate saves in a register: window accesses avoided, less the
// moves where registers are written back. It also says whether the candidate is mostly a float.
func (f *flow) gains() (gain []int, isFloat []bool) {
	gain = make([]int, len(f.list))
	float := make([]int, len(f.list))
	for pc := range f.fn.Code {
		f.gainsOfFound(gain, pc)
	}
	for pc := range f.fn.Code {
		op, w, after := f.fn.Code[pc].Op, f.weight[pc], f.liveAfter(pc)
		if f.sync(pc) {
			add(gain, f.live[pc]&f.dirty[pc], -w)
			if !f.leaf(pc) {
				add(gain, after&f.words, -w)
			}
			continue
		}
		add(gain, f.uses[pc]&f.words, w)
		add(gain, f.sets[pc]&f.words, w)
		if i, ok := f.number[f.ops[pc].slice]; ok && f.slices.has(i) && gain[i] > 0 {
			add(gain, f.setOf([]span{{f.list[i].at, 1}}, oneWord), -w) // the offset of a slice is never read from its register
		}
		usesF, setsF := floatOperands(op)
		add(float, f.uses[pc]&f.words, w*usesF)
		add(float, f.sets[pc]&f.words, w*setsF)
	}
	isFloat = make([]bool, len(f.list))
	for i := range isFloat {
		isFloat[i] = float[i] > 0
	}
	return gain, isFloat
}

// gainsOfFound adds what an instruction saves through objects and slices in registers.
func (f *flow) gainsOfFound(gain []int, pc int) {
	w, uses, found := f.weight[pc], f.uses[pc], f.sets[pc]&f.liveAfter(pc)
	if f.sync(pc) {
		uses = 0
		if !f.leaf(pc) {
			found = f.liveAfter(pc)
		}
	}
	objects := ^(f.words | f.slices)
	add(gain, uses&objects, w*objectGain)
	add(gain, found&objects, -w*objectCost)
	add(gain, uses&f.slices, w*sliceGain)
	add(gain, found&f.slices, -w*sliceCost)
}

// add adds a gain to every candidate of the set.
func add(to []int, s set, what int) {
	for ; s != 0; s &= s - 1 {
		to[bits.TrailingZeros64(uint64(s))] += what
	}
}

// floatOperands classifies the operands of an operation: floats (1), other words (-1), or either
// (0).
func floatOperands(op code.Op) (uses, sets int) {
	switch {
	case op >= code.AddF && op <= code.SqrtF:
		return 1, 1
	case op == code.ItoF, op == code.UtoF:
		return -1, 1
	case op == code.FtoI, op == code.FtoU, op >= code.EqF && op <= code.LeF:
		return 1, -1
	case op >= code.JEqF && op <= code.JNLeF:
		return 1, 0
	case op == code.MovN, op == code.MovNs, op == code.LoadK, op == code.LoadN, op == code.StoreN, op == code.LoadGN, op == code.StoreGN, op == code.RetN:
		return 0, 0
	case op >= code.IdxN && op <= code.SElemR: // the index is not a float; the value may be one
		return 0, 0
	}
	return -1, -1
}
