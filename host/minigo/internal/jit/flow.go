package jit

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// set is a set of candidates.
type set uint64

func (s set) has(i int) bool { return s>>i&1 != 0 }

// maxCandidates is the largest number of candidates for registers in a function.
const maxCandidates = 64

// kind is the kind of a candidate.
type kind uint8

const (
	oneWord  kind = iota
	anObject      // a reference to an object whose words are accessed: address and length, in two registers
	aSlice        // the address of its first element; its length stays in the window
	ofRefs        // the same for a slice of references
)

// candidate is a value that may live in registers.
type candidate struct {
	kind kind
	at   int // its word in the window; for a slice, its first word
	ref  int // for a slice, the number of its reference
}

// flow is the result of data-flow analysis: what a function does with the words and references
// that are candidates for registers.
type flow struct {
	fn       *code.Func
	funcs    []*code.Func
	kept     []code.Variable // variables of the function that others look at while it is suspended
	ops      []operands
	weight   []int // of each instruction: 8 to the power of its loop depth
	list     []candidate
	number   map[candidate]int
	words    set   // the candidates that are words
	slices   set   // the candidates that are slices
	uses     []set // of each instruction
	sets     []set
	live     []set // live-in set of each instruction
	dirty    []set // before each instruction: the candidates whose register may be newer than the window
	heads    []bool
	jumpedTo []bool
}

// analyze analyzes how a function uses its words.
func analyze(fn *code.Func, funcs []*code.Func, kept []code.Variable) (*flow, error) {
	size := len(fn.Code)
	f := &flow{
		fn: fn, funcs: funcs, kept: kept, ops: make([]operands, size), weight: make([]int, size), heads: make([]bool, size+1),
		jumpedTo: make([]bool, size+1),
	}
	for pc := range fn.Code {
		if err := f.read(pc, funcs); err != nil {
			return nil, err
		}
	}
	f.weigh()
	f.follow()
	if f.dropSlices() {
		f.follow()
	}
	return f, nil
}

// follow computes liveness and dirtiness.
func (f *flow) follow() {
	f.choose()
	f.findLive()
	f.findDirty()
}

// dropSlices turns accesses to slices that change too often for a register into accesses to their
// objects, and reports whether there are any. An object that is appended to changes less often
// than the slice.
func (f *flow) dropSlices() (any bool) {
	gain := make([]int, len(f.list))
	for pc := range f.fn.Code {
		f.gainsOfFound(gain, pc)
	}
	for pc := range f.ops {
		o := &f.ops[pc]
		if i, ok := f.number[o.slice]; o.slice.kind == oneWord || ok && gain[i] > 0 {
			continue
		}
		if o.slice.kind == aSlice {
			o.objects = []span{{o.slice.ref, 1}}
		}
		o.slice, any = candidate{}, true
	}
	return any
}

// read decodes and validates an instruction.
func (f *flow) read(pc int, funcs []*code.Func) error {
	in := &f.fn.Code[pc]
	o, ok := operandsOf(f.fn, in, funcs)
	if !ok {
		return fmt.Errorf("%v", in.Op)
	}
	if !within(f.fn.N, o.uses, o.sets) || !within(f.fn.R, o.objects, o.setRefs) || o.slice.kind != oneWord && o.slice.ref >= f.fn.R {
		return fmt.Errorf("%v outside of its window", in.Op)
	}
	f.ops[pc] = o
	to, jumps := f.target(pc)
	if !jumps {
		return nil
	}
	if to < 0 || to >= len(f.fn.Code) {
		return fmt.Errorf("%v out of its function", in.Op)
	}
	f.jumpedTo[to] = true
	if to <= pc {
		f.heads[to] = true
	}
	return nil
}

// within reports whether all registers are among the first n.
func within(n int, lists ...[]span) bool {
	beyond := func(s span) bool { return s.at < 0 || s.n < 0 || s.at+s.n > n }
	return !slices.ContainsFunc(slices.Concat(lists...), beyond)
}

// target is the jump target of an instruction, if it has one.
func (f *flow) target(pc int) (to int, jumps bool) {
	in := &f.fn.Code[pc]
	switch {
	case in.Op >= code.Jmp && in.Op <= code.JSet, in.Op == code.NextRune:
		return pc + 1 + int(in.D), true
	case in.Op == code.MapNext:
		return pc + 1 + int(f.fn.Aux[in.D].I[5]), true
	}
	return 0, false
}

// falls reports whether an instruction can fall through to the next.
func falls(op code.Op) bool {
	switch op {
	case code.Jmp, code.Ret, code.RetN, code.Panic, code.Halt:
		return false
	}
	return true
}

// weigh estimates how often each instruction runs, from the loops that back edges form.
func (f *flow) weigh() {
	for pc := range f.weight {
		f.weight[pc] = 1
	}
	for pc := range f.fn.Code {
		to, jumps := f.target(pc)
		if !jumps || to > pc {
			continue
		}
		if slices.ContainsFunc(f.ends(to), func(end int) bool { return end > pc }) {
			continue // the same loop: this is not its last back edge
		}
		for i := to; i <= pc; i++ {
			f.weight[i] = min(f.weight[i]*8, 1<<15)
		}
	}
}

// ends returns the back edges to an instruction.
func (f *flow) ends(head int) (ends []int) {
	for pc := head; pc < len(f.fn.Code); pc++ {
		if to, jumps := f.target(pc); jumps && to == head {
			ends = append(ends, pc)
		}
	}
	return ends
}

// choose selects the most-used words and the objects as candidates.
func (f *flow) choose() {
	heat := map[candidate]int{}
	warm := func(spans []span, k kind, by int) {
		for _, s := range spans {
			if s.n > 2 {
				continue // a word that is used as part of a span stays in the window
			}
			for at := s.at; at < s.at+s.n; at++ {
				heat[candidate{kind: k, at: at}] += by
			}
		}
	}
	for pc, o := range f.ops {
		if f.sync(pc) {
			continue
		}
		warm(o.uses, oneWord, f.weight[pc])
		warm(o.sets, oneWord, f.weight[pc])
		warm(o.objects, anObject, 2*f.weight[pc])
		if o.slice.kind != oneWord {
			heat[o.slice] += 3 * f.weight[pc]
		}
	}
	f.list = slices.SortedFunc(maps.Keys(heat), func(x, y candidate) int {
		return cmp.Or(heat[y]-heat[x], x.at-y.at, x.ref-y.ref, int(x.kind)-int(y.kind))
	})
	f.list = f.list[:min(len(f.list), maxCandidates)]
	f.number, f.words, f.slices = map[candidate]int{}, 0, 0
	for i, c := range f.list {
		f.number[c] = i
		switch c.kind {
		case oneWord:
			f.words |= 1 << i
		case aSlice, ofRefs:
			f.slices |= 1 << i
		}
	}
}

// sync reports whether registers are written back before the operation and loaded again after it:
// calls, and what the machine executes.
func (f *flow) sync(pc int) bool {
	in := &f.fn.Code[pc]
	return in.Op >= code.Call && in.Op != code.Ret && in.Op != code.RetN && !quick(f.fn, in)
}

// quick reports whether compiled code has a fast path for an operation outside the interpreter's
// loop: copies of small values between window and objects, and the append of a word to a slice
// that has room and stays where it is.
func quick(fn *code.Func, in *code.Instr) bool {
	switch in.Op {
	case code.LoadV, code.StoreV, code.LoadE, code.StoreE:
		return isSmall(&fn.Aux[in.D])
	case code.Append:
		x := &fn.Aux[in.D]
		return x.T.N == 1 && x.T.R == 0 && x.I[0] == x.I[2] && x.I[1] == x.I[3]
	}
	return false
}

// setOf returns the candidates of a kind that begin in the spans.
func (f *flow) setOf(spans []span, k kind) (s set) {
	for _, x := range spans {
		for at := x.at; at < x.at+x.n; at++ {
			if i, ok := f.number[candidate{kind: k, at: at}]; ok {
				s |= 1 << i
			}
		}
	}
	return s
}

// changed returns the slices whose reference, offset or length the operands set.
func (f *flow) changed(o *operands) (s set) {
	for rest := f.slices; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(uint64(rest))
		if meets(o.sets, span{f.list[i].at, 2}) || meets(o.setRefs, span{f.list[i].ref, 1}) {
			s |= 1 << i
		}
	}
	return s
}

// meets reports whether one of the spans overlaps the other one.
func meets(spans []span, with span) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.at < with.at+with.n && with.at < s.at+s.n })
}

// findLive computes the live-in set of each instruction. A panic may lead from any instruction to
// the epilogue.
func (f *flow) findLive() {
	size := len(f.fn.Code)
	f.uses, f.sets, f.live = make([]set, size), make([]set, size), make([]set, size+1)
	for pc, o := range f.ops {
		f.uses[pc] = f.setOf(o.uses, oneWord) | f.setOf(o.objects, anObject)
		if i, ok := f.number[o.slice]; ok && o.slice.kind != oneWord {
			f.uses[pc] |= 1 << i
		}
		f.sets[pc] = f.setOf(o.sets, oneWord) | f.setOf(o.setRefs, anObject) | f.changed(&o)
	}
	shown := f.shown()
	for changed := true; changed; {
		changed = false
		for pc := size - 1; pc >= 0; pc-- {
			live := f.uses[pc] | f.liveAfter(pc)&^f.sets[pc]
			if shown != nil {
				live |= shown[pc]
			}
			if e := f.fn.Epilogue; e >= 0 && e < size {
				live |= f.live[e]
			}
			if live != f.live[pc] {
				f.live[pc], changed = live, true
			}
		}
	}
}

// shown are the words of the variables in scope at each instruction, which must not get lost: they are live to those
// who look at the function. It is nil if there are none.
func (f *flow) shown() (at []set) {
	for _, v := range f.kept {
		if v.Boxed || v.Type.N == 0 {
			continue
		}
		if at == nil {
			at = make([]set, len(f.fn.Code))
		}
		words, end := f.setOf([]span{{v.N, v.Type.N}}, oneWord), int(v.To)
		if end < 0 {
			end = len(at)
		}
		for pc := int(v.From); pc < end; pc++ {
			at[pc] |= words
		}
	}
	return at
}

// liveAfter is the live-out set of an instruction: the union over its successors.
func (f *flow) liveAfter(pc int) (live set) {
	if falls(f.fn.Code[pc].Op) {
		live = f.live[pc+1]
	}
	if to, jumps := f.target(pc); jumps {
		live |= f.live[to]
	}
	return live
}

// findDirty computes what may have been set since the last write-back.
func (f *flow) findDirty() {
	f.dirty = make([]set, len(f.fn.Code)+1)
	for changed := true; changed; {
		changed = false
		flows := func(to int, s set) {
			if s|f.dirty[to] != f.dirty[to] {
				f.dirty[to] |= s
				changed = true
			}
		}
		for pc := range f.fn.Code {
			op := f.fn.Code[pc].Op
			after := f.dirty[pc] | f.sets[pc]&f.words
			if f.sync(pc) {
				after = 0
			}
			if falls(op) {
				flows(pc+1, after)
			}
			if to, jumps := f.target(pc); jumps {
				flows(to, after)
			}
		}
	}
}
