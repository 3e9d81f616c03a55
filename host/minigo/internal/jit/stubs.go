package jit

import (
	"math/bits"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// each calls do with the words of the set that live in registers.
func (e *emitter) each(s set, do func(w int, place amd64.Arg)) {
	for s &= e.regs.all; s != 0; s &= s - 1 {
		i := bits.TrailingZeros64(uint64(s))
		do(e.f.words[i], e.regs.place[i])
	}
}

// spill writes back what is alive before an instruction.
func (e *emitter) spill(pc int) {
	e.each(e.f.live[pc]&e.f.dirty[pc], e.store)
}

// store writes a word back from its register.
func (e *emitter) store(w int, place amd64.Arg) {
	if r, ok := place.IsReg(); ok {
		e.Store(inWindow(w), r)
	} else if x, ok := place.IsXmm(); ok {
		e.StoreF(inWindow(w), x)
	}
}

// fill loads what is alive before an instruction.
func (e *emitter) fill(pc int) {
	e.each(e.f.live[pc], func(w int, place amd64.Arg) {
		if r, ok := place.IsReg(); ok {
			e.Mov(r, inWindow(w))
		} else if x, ok := place.IsXmm(); ok {
			e.LoadF(x, inWindow(w))
		}
	})
}

// leave leaves the code before an instruction.
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

// out leaves the code; the frame says where already.
func (e *emitter) out(why Exit) {
	e.MovImm(scratch, uint64(why))
	e.Ret()
}

// exit is the label of code that leaves before an instruction.
func (e *emitter) exit(why Exit, pc int) amd64.Label {
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

// interpret is the label of code that leaves an instruction, which has done nothing yet, to
// the interpreter.
func (e *emitter) interpret(pc int) amd64.Label { return e.exit(Interpret, pc) }

// enterHere makes an instruction, which comes next, one where code can be entered. Nothing
// comes from above.
func (e *emitter) enterHere(pc int) {
	l := e.NewLabel()
	e.Bind(l)
	e.entries[pc] = l
	e.fill(pc)
}

// enterElsewhere makes entries to the loops and to where else the machine may go on.
func (e *emitter) enterElsewhere() {
	var pcs []int
	for pc, head := range e.f.heads {
		if head {
			pcs = append(pcs, pc)
		}
	}
	for pc := range e.fn.Code {
		if to, jumps := e.f.target(pc); jumps && e.fn.Code[pc].Op > code.Cold {
			pcs = append(pcs, to)
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
		l := e.NewLabel()
		e.Bind(l)
		e.entries[pc] = l
		e.fill(pc)
		e.Jmp(e.body[pc])
	}
}
