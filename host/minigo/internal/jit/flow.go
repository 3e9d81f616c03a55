package jit

import (
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// set is a set of candidates.
type set uint64

func (s set) has(i int) bool { return s>>i&1 != 0 }

// maxCandidates is how many words of a function may come into registers.
const maxCandidates = 64

// flow is what a function does with its words, as far as they are candidates for registers.
type flow struct {
	fn       *code.Func
	ops      []operands
	weight   []int // of each instruction: 8 to the depth of its loop
	words    []int // the candidates
	number   []int // of each word among the candidates; -1: it is none
	uses     []set // of each instruction
	sets     []set
	live     []set // before each instruction
	dirty    []set // before each instruction: perhaps newer than the window
	heads    []bool
	jumpedTo []bool
}

// analyze finds out how a function uses its words.
func analyze(fn *code.Func, funcs []*code.Func) (*flow, error) {
	size := len(fn.Code)
	f := &flow{
		fn: fn, ops: make([]operands, size), weight: make([]int, size), heads: make([]bool, size+1),
		jumpedTo: make([]bool, size+1),
	}
	for pc := range fn.Code {
		if err := f.read(pc, funcs); err != nil {
			return nil, err
		}
	}
	f.weigh()
	f.choose()
	f.findLive()
	f.findDirty()
	return f, nil
}

// read checks an instruction.
func (f *flow) read(pc int, funcs []*code.Func) error {
	in := &f.fn.Code[pc]
	o, ok := operandsOf(f.fn, in, funcs)
	if !ok {
		return fmt.Errorf("%v", in.Op)
	}
	for _, s := range slices.Concat(o.uses, o.sets) {
		if s.at < 0 || s.n < 0 || s.at+s.n > f.fn.N {
			return fmt.Errorf("%v outside of its window", in.Op)
		}
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

// target is where an instruction jumps, if it does.
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

// falls tells whether the next instruction may come after this one.
func falls(op code.Op) bool {
	switch op {
	case code.Jmp, code.Ret, code.RetN, code.Panic, code.Halt:
		return false
	}
	return true
}

// weigh estimates how often each instruction runs: jumps back make loops.
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
			continue // the same loop, of which this is not the last jump
		}
		for i := to; i <= pc; i++ {
			f.weight[i] = min(f.weight[i]*8, 1<<15)
		}
	}
}

// ends are the jumps back to a place.
func (f *flow) ends(head int) (ends []int) {
	for pc := head; pc < len(f.fn.Code); pc++ {
		if to, jumps := f.target(pc); jumps && to == head {
			ends = append(ends, pc)
		}
	}
	return ends
}

// choose makes candidates of the words that are used most.
func (f *flow) choose() {
	heat := make([]int, f.fn.N)
	for pc, o := range f.ops {
		for _, s := range slices.Concat(o.uses, o.sets) {
			if s.n > 2 || sync(f.fn.Code[pc].Op) {
				continue // what is used in a row is used in the window
			}
			for w := s.at; w < s.at+s.n; w++ {
				heat[w] += f.weight[pc]
			}
		}
	}
	for w, h := range heat {
		if h > 0 {
			f.words = append(f.words, w)
		}
	}
	slices.SortStableFunc(f.words, func(v, w int) int { return heat[w] - heat[v] })
	f.words = f.words[:min(len(f.words), maxCandidates)]
	f.number = slices.Repeat([]int{-1}, f.fn.N)
	for i, w := range f.words {
		f.number[w] = i
	}
}

// sync tells of the operations before which registers are written back, and after which they
// are loaded again: calls, and what the machine executes.
func sync(op code.Op) bool {
	return op >= code.Call && op != code.Ret && op != code.RetN
}

func (f *flow) setOf(spans []span) (s set) {
	for _, x := range spans {
		for w := x.at; w < x.at+x.n; w++ {
			if i := f.number[w]; i >= 0 {
				s |= 1 << i
			}
		}
	}
	return s
}

// findLive computes what is alive before each instruction. A panic may go from anywhere to
// the epilogue.
func (f *flow) findLive() {
	size := len(f.fn.Code)
	f.uses, f.sets, f.live = make([]set, size), make([]set, size), make([]set, size+1)
	for pc, o := range f.ops {
		f.uses[pc], f.sets[pc] = f.setOf(o.uses), f.setOf(o.sets)
	}
	for changed := true; changed; {
		changed = false
		for pc := size - 1; pc >= 0; pc-- {
			live := f.uses[pc] | f.liveAfter(pc)&^f.sets[pc]
			if e := f.fn.Epilogue; e >= 0 && e < size {
				live |= f.live[e]
			}
			if live != f.live[pc] {
				f.live[pc], changed = live, true
			}
		}
	}
}

// liveAfter is what is alive behind an instruction, on either way.
func (f *flow) liveAfter(pc int) (live set) {
	if falls(f.fn.Code[pc].Op) {
		live = f.live[pc+1]
	}
	if to, jumps := f.target(pc); jumps {
		live |= f.live[to]
	}
	return live
}

// findDirty computes what may have been set since it was last written back.
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
			after := f.dirty[pc] | f.sets[pc]
			if sync(op) {
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
