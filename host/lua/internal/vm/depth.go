//go:build !purego

package vm

import (
	"unsafe"

	glua "github.com/yuin/gopher-lua"
)

// A thread with a growing call stack has room for frames up to smallStack and a few
// more, and gets more when it goes deeper: the list of segments, which gopher-lua makes
// for the whole depth, is by far the largest part of a thread that does little.
const (
	smallStack = 40
	margin     = 2 * glua.FramesPerSegment // frames that are pushed between two looks, and some
)

// deep is the first frame that must look.
func (d *direct) deep() int { return min(d.last, smallStack) }

// room is how many frames a thread has room for at first.
func (d *direct) room() int { return d.deep() + margin }

// calling looks at the depth for a call out of Lua.
func (d *direct) calling(L *glua.LState, cf *frame, inst uint32) {
	if cf.Idx >= d.last {
		checkCall(L, inst)
	}
	d.makeRoom(L, cf.Idx)
}

// entered is the same for a call out of Go, whose frame exists already.
func (d *direct) entered(L *glua.LState, cf *frame) {
	if cf.Idx > d.last {
		overflow(L, cf, "stack overflow")
	}
	d.makeRoom(L, cf.Idx)
}

// overflow refuses a call out of Go. The error belongs to the caller.
func overflow(L *glua.LState, callee *frame, message glua.LString) {
	callee.Pc = 1 // tracebacks look at the instruction before
	L.Error(message, 2)
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

// makeRoom lets the call stack grow beyond the frame at, and the registry by a half when
// it must: by constant steps, a deep recursion would copy it thousands of times.
func (d *direct) makeRoom(L *glua.LState, at int) {
	segments := d.place.frameSegments(L)
	if n := len(*segments); at+margin > n*glua.FramesPerSegment {
		larger := make([]unsafe.Pointer, 2*n)
		copy(larger, *segments)
		*segments = larger
	}
	if array, step := d.place.registerGrowth(L); *step < len(*array)/2 {
		*step = len(*array) / 2
	}
}
