//go:build !purego

package vm

import (
	"context"
	"reflect"
	"sync"
	"unsafe" // also for linkname

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

// frame is gopher-lua's callFrame.
type frame struct {
	Idx        int // its number in the call stack
	Fn         *glua.LFunction
	Parent     *frame
	Pc         int
	Base       int // the register of the function
	LocalBase  int // its first register
	ReturnBase int // the register of its first result
	NArgs      int
	NRet       int // how many results the caller takes; -1 is all
	TailCall   int
}

// direct is what the direct loops of one Meter share.
type direct struct {
	place   places
	execute *instructions
	native  loop
	first   int // how many frames a new thread has
	most    int // how many it may have
}

// thread is one LState in its direct loop.
type thread struct {
	meter  *Meter
	nested int       // loops that run on the Go stack
	base   *frame    // the first frame of the innermost of them, in the present array
	arrays [][]frame // the present array of frames, the smaller ones and the larger ones, by size
}

// attach makes a thread run in a direct loop. Its call stack must be a fixed one of gopher-lua.
func (d *direct) attach(m *Meter, L *glua.LState) (nested *int) {
	t := &thread{meter: m}
	switch run := d.place.mainLoop(L); {
	case m.watched != nil:
		*run = t.runWatched
	case m.profiled != nil:
		*run = t.runProfiled
	default:
		*run = t.run
	}
	return &t.nested
}

// newDirect makes the loops for m; nil if this version of gopher-lua is not the one they were
// written for.
func newDirect(m *Meter) *direct {
	known := layout()
	if known == nil {
		return nil
	}
	d := &direct{place: known.place, native: known.native, first: min(firstFrames, m.depth), most: m.depth}
	d.execute = m.bounded(d)
	return d
}

// layout is what newDirect needs to know of gopher-lua; nil if it is another version.
var layout = sync.OnceValue(func() *direct {
	place, ok := findPlaces()
	if !ok {
		return nil
	}
	plain := glua.NewState(glua.Options{SkipOpenLibs: true, CallStackSize: 1, RegistrySize: 128})
	return &direct{place: place, native: *place.mainLoop(plain)}
})

// run is mainLoop with a counter and a call stack that grows. mainLoop itself executes calls of Go
// functions.
func (t *thread) run(L *glua.LState, base *frame) {
	m := t.meter
	current, execute := m.direct.place.currentFrame(L), m.direct.execute
	outer, frames := t.base, len(m.direct.place.callsOf(L).array)
	t.base = base
	t.nested++
	defer t.leave(L, outer)
	if cf := *current; cf.Idx >= frames-pushed {
		t.grow(L)
	}
	if t.nested > maxNested {
		overflow(L, *current, "C stack overflow")
	}
	if (*current).Fn.IsG {
		m.direct.native(L, t.base)
		t.shrink(L, frames)
		return
	}
	for {
		cf := *current
		inst := cf.Fn.Proto.Code[cf.Pc]
		cf.Pc++
		if m.Left--; m.Left < 0 {
			m.expire()
		}
		if next := execute[inst>>opcodeShift](L, inst, t.base); next != 0 {
			if next != callLater {
				t.shrink(L, frames)
				return
			}
			cf.Pc--
			m.Left++
			t.grow(L)
		}
	}
}

// leave ends a loop that returns or panics. A loop that panics leaves a larger array of frames in
// use, for tracebacks: the outer loop continues with it.
func (t *thread) leave(L *glua.LState, outer *frame) {
	t.nested--
	if t.base = outer; outer != nil {
		t.base = &t.meter.direct.place.callsOf(L).array[outer.Idx]
	}
}

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
	if !startsLike(current.Type.Elem(), reflect.TypeFor[frame]()) || current.Type.Elem().Size() != unsafe.Sizeof(frame{}) {
		return places{}, false
	}
	p.loop, p.frame, p.context = mainLoop.Offset, current.Offset, ctx.Offset
	return p, p.findRoom(state) && p.findTable()
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
