//go:build !purego

package vm

import (
	"context"
	"reflect"
	_ "unsafe" // for linkname

	glua "github.com/yuin/gopher-lua"
)

// jumpTable is gopher-lua's table of instructions, by opcode. If gopher-lua has no such table, it
// is an array of nil.
//
//go:linkname jumpTable github.com/yuin/gopher-lua.jumpTable
var jumpTable [glua.OP_NOP + 1]instruction

type (
	instruction = func(L *glua.LState, inst uint32, base *frame) int
	loop        = func(L *glua.LState, base *frame)
)

// The opcode is the upper six bits of an instruction. OP_CALL and OP_TAILCALL follow each
// other, so that one comparison finds both.
const (
	opcodeShift = 26

	firstCall = uint32(glua.OP_CALL) << opcodeShift
	calls     = uint32(glua.OP_TAILCALL+1-glua.OP_CALL) << opcodeShift
)

// frame is gopher-lua's callFrame.
type frame struct {
	Idx       int // its number in the call stack
	Fn        *glua.LFunction
	Parent    *frame
	Pc        int
	_         int
	LocalBase int // its first register
	_         [2]int
	NRet      int // how many results the caller takes; -1 is all
	TailCall  int
}

// direct is what the direct loops of one Meter share.
type direct struct {
	place   places
	execute *instructions
	native  loop
	last    int // the index of the last frame that is allowed
}

// thread is one LState in its direct loop.
type thread struct {
	meter  *Meter
	nested int // loops that run on the Go stack
}

// attach makes a thread run in a direct loop.
func (d *direct) attach(m *Meter, L *glua.LState) {
	t := &thread{meter: m}
	run := t.run
	if L.Options.MinimizeStackMemory {
		run = t.runGrowing
	}
	*d.place.mainLoop(L) = run
}

// newDirect makes the loops for m; nil if this version of gopher-lua is not the one they were
// written for.
func newDirect(m *Meter) *direct {
	place, ok := findPlaces()
	if !ok {
		return nil
	}
	plain := glua.NewState(glua.Options{SkipOpenLibs: true, CallStackSize: 1, RegistrySize: 128})
	return &direct{place: place, execute: m.bounded(), native: *place.mainLoop(plain), last: m.depth - 1}
}

// run is mainLoop with a counter. mainLoop itself executes calls of Go functions.
func (t *thread) run(L *glua.LState, base *frame) {
	m := t.meter
	current, execute := m.direct.place.currentFrame(L), m.direct.execute
	t.nested++
	defer t.leave()
	if t.nested > maxNested {
		overflow(L, *current, "C stack overflow")
	}
	if (*current).Fn.IsG {
		m.direct.native(L, base)
		return
	}
	for {
		cf := *current
		inst := cf.Fn.Proto.Code[cf.Pc]
		cf.Pc++
		if m.Left--; m.Left < 0 {
			m.expire()
		}
		if execute[inst>>opcodeShift](L, inst, base) == 1 {
			return
		}
	}
}

// runGrowing is run with a check of the depth, which a growing call stack needs. The check has a
// measurable cost, so run does not have it.
func (t *thread) runGrowing(L *glua.LState, base *frame) {
	m := t.meter
	current, execute := m.direct.place.currentFrame(L), m.direct.execute
	deep := m.direct.deep()
	t.nested++
	defer t.leave()
	if cf := *current; cf.Idx >= deep {
		m.direct.entered(L, cf)
	}
	if t.nested > maxNested {
		overflow(L, *current, "C stack overflow")
	}
	if (*current).Fn.IsG {
		m.direct.native(L, base)
		return
	}
	for {
		cf := *current
		inst := cf.Fn.Proto.Code[cf.Pc]
		cf.Pc++
		if m.Left--; m.Left < 0 {
			m.expire()
		}
		if inst-firstCall < calls && cf.Idx >= deep {
			m.direct.calling(L, cf, inst)
		}
		if execute[inst>>opcodeShift](L, inst, base) == 1 {
			return
		}
	}
}

func (t *thread) leave() { t.nested-- }

// findPlaces finds the offsets, and checks that everything used here is as expected.
func findPlaces() (p places, ok bool) {
	state := reflect.TypeFor[glua.LState]()
	mainLoop, found := state.FieldByName("mainLoop")
	current, found2 := state.FieldByName("currentFrame")
	ctx, found3 := state.FieldByName("ctx")
	if !found || !found2 || !found3 || ctx.Type != reflect.TypeFor[context.Context]() || current.Type.String() != "*lua.callFrame" ||
		mainLoop.Type.String() != "func(*lua.LState, *lua.callFrame)" {
		return places{}, false
	}
	for _, inst := range jumpTable {
		if inst == nil {
			return places{}, false
		}
	}
	if !startsLike(current.Type.Elem(), reflect.TypeFor[frame]()) {
		return places{}, false
	}
	p.loop, p.frame, p.context = mainLoop.Offset, current.Offset, ctx.Offset
	return p, p.findRoom(state) && p.findArray()
}

// startsLike returns whether the named fields of mirror have the same types and offsets in real.
func startsLike(real, mirror reflect.Type) bool {
	for i := range mirror.NumField() {
		want := mirror.Field(i)
		if want.Name == "_" {
			continue
		}
		have, ok := real.FieldByName(want.Name)
		alike := have.Type == want.Type || want.Type == reflect.PointerTo(mirror) && have.Type == reflect.PointerTo(real)
		if !ok || have.Offset != want.Offset || !alike {
			return false
		}
	}
	return true
}
