package jit

import (
	"fmt"

	"github.com/selvage-dev/selvage/host/minigo/internal/amd64"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
)

// emitter generates the code of one function.
type emitter struct {
	amd64.Asm
	scope
	t      *Target
	later  []func() // out-of-line code, placed after the function
	refs   bool
	leaves int // how many calls have been inlined
	err    error
}

// scope is the function being compiled: the emitter's own, or an inlined one.
type scope struct {
	fn      *code.Func
	f       *flow
	regs    *assignment
	places  []amd64.Arg   // where each word lives
	body    []amd64.Label // the label of each instruction
	entries map[int]amd64.Label
	exits   map[exit]amd64.Label
	guards  map[int]guard // for each loop that begins with an element access
	proven  map[int]int32 // for each object in registers: a proven lower bound of its length in words
	skip    int           // an instruction already covered by the one before
	way     *inlining     // nil if the function has a frame
}

// exit is a side exit: a place where code returns to the machine.
type exit struct {
	why Exit
	pc  int
}

// maxCode is the longest function that is compiled, in instructions.
const maxCode = 20_000

// loopAlign is the alignment of loop heads: the processor's fetch block.
const loopAlign = 32

// Compile compiles a function. An error names the operation that cannot be compiled.
func Compile(fn *code.Func, t *Target) (*Code, error) {
	if len(fn.Code) == 0 || len(fn.Code) > maxCode {
		return nil, fmt.Errorf("none, or more than %d instructions", maxCode)
	}
	f, err := analyze(fn, t.Funcs, t.variables(fn))
	if err != nil {
		return nil, err
	}
	own := scope{fn: fn, f: f, regs: assign(f), entries: map[int]amd64.Label{}, exits: map[exit]amd64.Label{}, skip: -1}
	e := &emitter{scope: own, t: t}
	e.lay()
	e.enterHere(0)
	e.instructions()
	e.leave(Interpret, len(fn.Code))
	e.enterElsewhere()
	for len(e.later) > 0 {
		next := e.later[0]
		e.later = e.later[1:]
		next()
	}
	if e.err != nil {
		return nil, e.err
	}
	return e.code(), nil
}

// instructions compiles all instructions of the function.
func (e *emitter) instructions() {
	for pc := range e.fn.Code {
		if e.f.heads[pc] {
			e.Align(loopAlign)
		}
		e.Bind(e.body[pc])
		if e.f.begins(pc) {
			clear(e.proven)
		}
		if pc != e.skip {
			e.instruction(pc, &e.fn.Code[pc])
		}
		e.refresh(pc)
	}
	e.Bind(e.body[len(e.fn.Code)])
}

// lay records where each word lives and makes a label for each instruction.
func (e *emitter) lay() {
	e.places, e.proven, e.guards = make([]amd64.Arg, e.fn.N), map[int]int32{}, map[int]guard{}
	for w := range e.places {
		e.places[w] = inWindow(w)
	}
	e.each(e.f.words, func(i int, c candidate) { e.places[c.at] = e.regs.place[i] })
	for range len(e.fn.Code) + 1 {
		e.body = append(e.body, e.NewLabel())
	}
}

func (e *emitter) code() *Code {
	c := &Code{Text: e.Bytes(), Entry: make([]int32, len(e.fn.Code)), WritesRefs: e.refs}
	for pc := range c.Entry {
		c.Entry[pc] = -1
		if l, ok := e.entries[pc]; ok {
			c.Entry[pc] = int32(e.Offset(l))
		}
	}
	return c
}

// refuse abandons the function.
func (e *emitter) refuse(in *code.Instr) {
	if e.err == nil {
		e.err = fmt.Errorf("%v", in.Op)
	}
}

// inWindow is the window's memory operand of a word.
func inWindow(w int) amd64.Arg { return amd64.At(words, int32(w)*wordSize) }

// instruction compiles one instruction.
func (e *emitter) instruction(pc int, in *code.Instr) {
	switch op := in.Op; {
	case op == code.Nop, e.putsConstant(pc, in):
	case op == code.MovN || op == code.MovNs || op >= code.LoadI && op <= code.LoadK || op == code.ZeroN:
		e.move(in)
	case op == code.MovR || op == code.MovRs || op == code.LoadS || op == code.ZeroR:
		e.moveRef(in)
	case op >= code.Div && op <= code.RemU || op == code.DivK || op == code.RemK:
		e.divide(pc, in)
	case op >= code.Add && op <= code.Zext32 || op >= code.Eq && op <= code.LeU:
		e.integer(in)
	case op >= code.AddF && op <= code.LeF:
		e.float(pc, in)
	case op >= code.Jmp && op <= code.JSet:
		e.jump(pc, in)
	case op >= code.LoadN && op <= code.SetP0:
		e.object(pc, in)
	case op >= code.IdxN && op <= code.LenStr:
		e.element(pc, in)
	case op == code.Append && quick(e.fn, in):
		e.append(pc, in)
	case op > code.Cold && quick(e.fn, in):
		e.value(pc, in)
	case op == code.Call:
		e.call(pc, in)
	case op == code.CallC:
		e.callClosure(pc, in)
	case op == code.Ret || op == code.RetN:
		e.ret(pc, in)
	default:
		e.leave(Cold, pc)
		if pc+1 < len(e.fn.Code) {
			e.enterHere(pc + 1)
		}
	}
}

// fromContext is a field of the Context as a memory operand.
func fromContext(off int32) amd64.Arg { return amd64.At(context, off) }

// frame loads the address of the top frame.
func (e *emitter) frame(into amd64.Reg) { e.Mov(into, fromContext(execmem.OffFrame)) }
