//go:build !purego

package vm

import (
	"unsafe"

	glua "github.com/yuin/gopher-lua"
)

// A thread with a growing call stack first has room for smallStack frames and a few more, and
// gets more when its calls are deeper. gopher-lua would allocate the list of segments for the
// whole depth, which is by far the largest part of a small thread.
const (
	smallStack = 40
	margin     = 2 * glua.FramesPerSegment // more than the frames that are pushed between two checks
)

// deep is the first frame whose calls are checked.
func (d *direct) deep() int { return min(d.last, smallStack) }

// room is how many frames a new thread has room for.
func (d *direct) room() int { return d.deep() + margin }

// calling checks the depth before a call from Lua.
func (d *direct) calling(L *glua.LState, cf *frame, inst uint32) {
	if cf.Idx >= d.last {
		checkCall(L, inst)
	}
	d.makeRoom(L, cf.Idx)
}

// entered checks the depth of a call from Go, whose frame exists already.
func (d *direct) entered(L *glua.LState, cf *frame) {
	if cf.Idx > d.last {
		overflow(L, cf, "stack overflow")
	}
	d.makeRoom(L, cf.Idx)
}

// overflow refuses a call from Go. The error has the position of the caller.
func overflow(L *glua.LState, callee *frame, message glua.LString) {
	callee.Pc = 1 // tracebacks read the instruction before
	L.Error(message, 2)
}

// checkCall raises the error that gopher-lua's fixed call stack would raise for this OP_CALL or
// OP_TAILCALL in the last frame. A tail call of a Lua function needs no frame; a call of a value
// that cannot be called is another error.
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

// makeRoom extends the list of segments beyond the frame at. It also makes the registry grow by
// half of its size when it is full: with constant steps a deep recursion would copy it thousands
// of times.
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
