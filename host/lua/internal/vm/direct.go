//go:build !purego

package vm

import (
	"reflect"
	"unsafe"

	glua "github.com/yuin/gopher-lua"
)

// jumpTable is gopher-lua's table of instructions, by opcode. If there is none of that
// name, it is an array of nil.
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

// frame is the beginning of gopher-lua's callFrame.
type frame struct {
	Idx int // its number in the call stack
	Fn  *glua.LFunction
	_   *frame
	Pc  int
}

// direct are the direct loops of one Meter: for threads whose call stack has its full
// size, and for those whose call stack grows.
type direct struct {
	place   places
	fixed   loop
	growing loop
}

// attach makes a thread run in its loop.
func (d *direct) attach(L *glua.LState) {
	run := d.fixed
	if L.Options.MinimizeStackMemory {
		run = d.growing
	}
	*d.place.mainLoop(L) = run
}

// newDirect makes the loops for m, or nil if this gopher-lua is not the one they were
// written for.
func newDirect(m *Meter) *direct {
	place, ok := findPlaces()
	if !ok {
		return nil
	}
	plain := glua.NewState(glua.Options{SkipOpenLibs: true, CallStackSize: 1, RegistrySize: 128})
	native := *place.mainLoop(plain)
	return &direct{place, m.counting(place, native), m.countingCalls(place, native)}
}

// counting is mainLoop with a counter. Calls of Go functions go to native, which is
// mainLoop itself.
func (m *Meter) counting(place places, native loop) loop {
	return func(L *glua.LState, base *frame) {
		current := place.currentFrame(L)
		if (*current).Fn.IsG {
			native(L, base)
			return
		}
		for {
			cf := *current
			inst := cf.Fn.Proto.Code[cf.Pc]
			cf.Pc++
			if m.Left--; m.Left < 0 {
				m.expire()
			}
			if jumpTable[inst>>opcodeShift](L, inst, base) == 1 {
				return
			}
		}
	}
}

// countingCalls also looks at the depth, which a growing call stack does not do well.
// That is measurable, so the other loop goes without.
func (m *Meter) countingCalls(place places, native loop) loop {
	last := m.depth - 1
	return func(L *glua.LState, base *frame) {
		current := place.currentFrame(L)
		if cf := *current; cf.Idx > last {
			cf.Pc = 1 // tracebacks look at the instruction before
			overflowed(L)
		} else if cf.Fn.IsG {
			native(L, base)
			return
		}
		for {
			cf := *current
			inst := cf.Fn.Proto.Code[cf.Pc]
			cf.Pc++
			if m.Left--; m.Left < 0 {
				m.expire()
			}
			if inst-firstCall < calls && cf.Idx >= last {
				checkCall(L, inst)
			}
			if jumpTable[inst>>opcodeShift](L, inst, base) == 1 {
				return
			}
		}
	}
}

// checkCall raises the error that gopher-lua's fixed call stack would raise in the
// place of this OP_CALL or OP_TAILCALL, which stands in the last frame there may be. A
// tail call of a Lua function needs no frame; a call of what cannot be called is
// another error.
func checkCall(L *glua.LState, inst uint32) {
	callee := L.Get(int(inst>>18)&0xff + 1)
	fn, ok := callee.(*glua.LFunction)
	if !ok {
		fn, ok = L.GetMetaField(callee, "__call").(*glua.LFunction)
	}
	if ok && (fn.IsG || int(inst>>opcodeShift) == glua.OP_CALL) {
		L.RaiseError("stack overflow")
	}
}

// overflowed is the same for a call out of Go. The callee's frame exists already, and
// the error belongs to the caller.
func overflowed(L *glua.LState) { L.Error(glua.LString("stack overflow"), 2) }

// places are the offsets of the two fields of an LState that the loop needs.
type places struct{ loop, frame uintptr }

func (p places) mainLoop(L *glua.LState) *loop {
	return (*loop)(unsafe.Add(unsafe.Pointer(L), p.loop))
}

func (p places) currentFrame(L *glua.LState) **frame {
	return (**frame)(unsafe.Add(unsafe.Pointer(L), p.frame))
}

// findPlaces looks whether everything used here is what it is taken for.
func findPlaces() (places, bool) {
	state := reflect.TypeFor[glua.LState]()
	mainLoop, found := state.FieldByName("mainLoop")
	current, found2 := state.FieldByName("currentFrame")
	if !found || !found2 || current.Type.String() != "*lua.callFrame" ||
		mainLoop.Type.String() != "func(*lua.LState, *lua.callFrame)" {
		return places{}, false
	}
	for _, inst := range jumpTable {
		if inst == nil {
			return places{}, false
		}
	}
	return places{mainLoop.Offset, current.Offset}, startsLike(current.Type.Elem(), reflect.TypeFor[frame]())
}

// startsLike tells whether the named fields of mirror are where they are in real.
func startsLike(real, mirror reflect.Type) bool {
	for i := range mirror.NumField() {
		want := mirror.Field(i)
		if want.Name == "_" {
			continue
		}
		have, ok := real.FieldByName(want.Name)
		if !ok || have.Offset != want.Offset || have.Type != want.Type {
			return false
		}
	}
	return true
}
