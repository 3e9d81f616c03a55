package jit

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
)

// maxLeaf is the longest function that is inlined, and maxLeaves the most calls inlined per
// function.
const (
	maxLeaf   = 32
	maxLeaves = 32
)

// isLeaf reports whether a function only computes words of its window from others. It can be
// restarted at any instruction, and only the budget shows that it was called.
func isLeaf(fn *code.Func) bool {
	if fn.R > 0 || len(fn.Code) > maxLeaf {
		return false
	}
	for _, in := range fn.Code {
		switch op := in.Op; {
		case op == code.MovN, op == code.MovNs, op == code.LoadI, op == code.LoadK, op == code.ZeroN:
		case op >= code.Add && op <= code.LeF, op == code.Ret, op == code.RetN:
		case op >= code.Jmp && op <= code.JGeK && in.D >= 0:
		default:
			return false
		}
	}
	return true
}

// leaf reports whether the call is of a leaf function that is worth inlining.
func (f *flow) leaf(pc int) bool {
	in := &f.fn.Code[pc]
	return in.Op == code.Call && isLeaf(f.funcs[in.D])
}

// inlining is the state of one inlined call.
type inlining struct {
	give amd64.Label // abandons the inlined call
	done amd64.Label // where the inlined function returns
}

// inline compiles a function in place of its call, with its own register allocation. It builds no
// frame, but requires room for one and its window, and a budget tick for the call. If one is
// missing, or the function would panic, nothing has happened yet and the interpreter makes the
// call.
func (e *emitter) inline(pc int, in *code.Instr) bool {
	callee := e.t.Funcs[in.D]
	if !isLeaf(callee) || e.leaves == maxLeaves || pc+1 == e.fn.Epilogue || callee.N > maxWindow {
		return false
	}
	if _, err := Compile(callee, e.t); err != nil {
		return false
	}
	f, err := analyze(callee, e.t.Funcs, nil)
	if err != nil {
		return false
	}
	regs := assignLeaf(f)
	if !f.keepsParameters(regs) {
		return false
	}
	e.leaves++
	interpret, at := e.NewLabel(), int32(in.A)*wordSize
	way := &inlining{e.NewLabel(), e.NewLabel()}
	e.spill(pc)
	e.frameRoom(interpret)
	e.wordsRoom(int32(in.A), callee, interpret)
	e.OpImm(amd64.Cmp, amd64.In(budget), 1)
	e.Jcc(amd64.Less, interpret)
	e.OpImm(amd64.Add, amd64.In(words), at)
	outer := e.scope
	e.scope = scope{fn: callee, f: f, regs: regs, exits: map[exit]amd64.Label{}, skip: -1, way: way}
	e.lay()
	e.fill(0)
	e.instructions()
	e.scope = outer
	e.Jmp(way.give) // every function ends with a return
	e.Bind(way.done)
	e.OpImm(amd64.Sub, amd64.In(words), at)
	e.OpImm(amd64.Sub, amd64.In(budget), 1)
	e.later = append(e.later, func() {
		e.Bind(way.give)
		e.OpImm(amd64.Sub, amd64.In(words), at)
		e.Bind(interpret)
		e.frame(second)
		e.Store32Imm(amd64.At(second, e.t.Frame.PC), int32(pc))
		e.out(Interpret)
	})
	e.restore(pc, regs)
	return true
}

// restore reloads what an inlined function has overwritten or returned; an entry behind the call
// reloads everything.
func (e *emitter) restore(pc int, used *assignment) {
	if pc+1 == len(e.fn.Code) {
		return
	}
	lost := e.f.sets[pc]
	e.each(e.f.live[pc+1], func(i int, c candidate) {
		if used.has(e.regs.place[i]) || c.kind == anObject && used.has(amd64.In(e.regs.size[i])) {
			lost |= 1 << i
		}
	})
	e.reload(lost&e.f.live[pc+1], pc+1)
	entry := e.NewLabel()
	e.entries[pc+1] = entry
	e.later = append(e.later, func() {
		e.Bind(entry)
		e.fill(pc + 1)
		e.Jmp(e.body[pc+1])
	})
}

// keepsParameters reports whether the parameters in the window are unchanged wherever the inlined
// function may be abandoned: the ones it sets live in registers.
func (f *flow) keepsParameters(regs *assignment) bool {
	for _, o := range f.ops {
		for _, s := range o.sets {
			for w := max(s.at, f.fn.ResN); w < min(s.at+s.n, f.fn.ResN+f.fn.ArgN); w++ {
				if i, ok := f.number[candidate{at: w}]; !ok || !regs.all.has(i) {
					return false
				}
			}
		}
	}
	return true
}

// wordsRoom checks that the word stack has room for a callee's window.
func (e *emitter) wordsRoom(a int32, callee *code.Func, without amd64.Label) {
	e.Lea(scratch, amd64.At(words, (a+int32(callee.N))*wordSize))
	e.Op(amd64.Cmp, scratch, fromContext(execmem.OffNumEnd))
	e.Jcc(amd64.Above, without)
}
