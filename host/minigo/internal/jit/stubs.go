package jit

import (
	"math/bits"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// each calls do with the candidates of the set that live in registers.
func (e *emitter) each(s set, do func(i int, c candidate)) {
	for s &= e.regs.all; s != 0; s &= s - 1 {
		i := bits.TrailingZeros64(uint64(s))
		do(i, e.f.list[i])
	}
}

// spill writes back the live, dirty candidates before an instruction.
func (e *emitter) spill(pc int) { e.store(e.f.live[pc] & e.f.dirty[pc]) }

// store writes words back from their registers.
func (e *emitter) store(s set) {
	e.each(s&e.f.words, func(i int, c candidate) {
		if x, ok := e.regs.place[i].IsXmm(); ok {
			e.StoreF(inWindow(c.at), x)
		} else if r, ok := e.regs.place[i].IsReg(); ok {
			e.Store(inWindow(c.at), r)
		}
	})
}

// fill loads the live candidates before an instruction.
func (e *emitter) fill(pc int) { e.reload(e.f.live[pc], pc) }

// reload loads some of them: words first, because slices are loaded through them.
func (e *emitter) reload(s set, pc int) {
	e.each(s&e.f.words, func(i int, c candidate) {
		if x, ok := e.regs.place[i].IsXmm(); ok {
			e.LoadF(x, inWindow(c.at))
		} else if r, ok := e.regs.place[i].IsReg(); ok {
			e.Mov(r, inWindow(c.at))
		}
	})
	e.find(s&^e.f.words, pc)
}

// leave exits before an instruction.
func (e *emitter) leave(why Exit, pc int) {
	e.spill(pc)
	next := pc
	if why == Cold {
		next++
	}
	e.frame(second)
	e.Store32Imm(amd64.At(second, e.t.Frame.PC), int32(next))
	e.out(why)
}

// out exits; the frame already holds the PC.
func (e *emitter) out(why Exit) {
	e.MovImm(scratch, uint64(why))
	e.Ret()
}

// exit is the label of a side exit before an instruction.
func (e *emitter) exit(why Exit, pc int) amd64.Label {
	if e.way != nil {
		return e.way.give
	}
	x := exit{why, pc}
	l, ok := e.exits[x]
	if !ok {
		l = e.NewLabel()
		e.exits[x] = l
		e.later = append(e.later, func() {
			e.Bind(l)
			e.leave(why, pc)
		})
	}
	return l
}

// interpret is the label of a side exit that hands an instruction to the interpreter. The
// instruction must not have had any effect yet.
func (e *emitter) interpret(pc int) amd64.Label { return e.exit(Interpret, pc) }

// enterHere makes the next instruction an entry point. No code falls through to it.
func (e *emitter) enterHere(pc int) {
	l := e.NewLabel()
	e.Bind(l)
	e.entries[pc] = l
	e.fill(pc)
}

// enterElsewhere makes entry points at loop heads and wherever else the machine may resume.
func (e *emitter) enterElsewhere() {
	var pcs []int
	for pc, head := range e.f.heads {
		if head {
			pcs = append(pcs, pc)
		}
	}
	for pc := range e.fn.Code {
		in := &e.fn.Code[pc]
		if to, jumps := e.f.target(pc); jumps && in.Op > code.Cold {
			pcs = append(pcs, to)
		}
		if in.Op == code.Append && quick(e.fn, in) {
			pcs = append(pcs, pc+1)
		}
	}
	if p := e.fn.Epilogue; p >= 0 {
		pcs = append(pcs, p)
	}
	slices.Sort(pcs)
	for _, pc := range slices.Compact(pcs) {
		if _, ok := e.entries[pc]; ok || pc >= len(e.fn.Code) {
			continue
		}
		e.enterHere(pc)
		e.Jmp(e.body[pc])
	}
}
