//go:build !purego

package vm

import glua "github.com/yuin/gopher-lua"

// A thread starts with a few call frames, and gets an array of twice as many before they are used
// up, until it has as many as the Meter allows: then gopher-lua reports the overflow. gopher-lua's
// own growing call stack makes each call a quarter slower.
//
// The Go functions of the outer loops have pointers to their frames, so a frame stays where it is
// while a loop that did not start with it grows the stack: grow copies the frames, only those of the
// innermost loop execute in the new array, and the old array is in use again when that loop returns.
const (
	firstFrames = 16
	pushed      = 2 // frames that a Go function may push before the next loop starts
)

// callLater is what an instruction returns that needs more frames. It has done nothing.
const callLater = 2

// mustGrow tells whether a call needs more frames. A quarter of them is kept free, so that Go functions
// which call Lua in a loop seldom make the stack grow each time.
func (d *direct) mustGrow(L *glua.LState) bool {
	n := len(d.place.callsOf(L).array)
	return (*d.place.currentFrame(L)).Idx >= n-n/4 && n < d.most
}

// call is OP_CALL.
func (d *direct) call(m *Meter) instruction {
	native := jumpTable[glua.OP_CALL]
	return func(L *glua.LState, inst uint32, base *frame) int {
		if d.place.enter(L, inst) {
			return 0
		}
		if d.mustGrow(L) {
			return callLater
		}
		if b(inst) == 0 {
			m.chargeOpen(L, inst)
		}
		return native(L, inst, base)
	}
}

// grow moves the thread to a larger array of frames. It also makes the registry grow by half of its
// size when it is full: with constant steps a deep recursion would copy it thousands of times.
func (t *thread) grow(L *glua.LState) {
	d := t.meter.direct
	frames, current := &d.place.callsOf(L).array, d.place.currentFrame(L)
	if len(*frames) >= d.most {
		return
	}
	larger := t.larger(*frames)
	top := (*current).Idx
	copy(larger, (*frames)[:top+1])
	for i := range larger[:top+1] {
		if parent := larger[i].Parent; parent != nil {
			larger[i].Parent = &larger[parent.Idx]
		}
	}
	*frames, *current = larger, &larger[top]
	if t.base != nil {
		t.base = &larger[t.base.Idx]
	}
	slots := d.place.registryOf(L)
	slots.growBy = max(slots.growBy, len(slots.array)/2)
}

// larger is the array that follows frames, which may have been in use before.
func (t *thread) larger(frames []frame) []frame {
	if len(t.arrays) == 0 {
		t.arrays = append(t.arrays, frames)
	}
	for _, a := range t.arrays {
		if len(a) > len(frames) {
			return a
		}
	}
	n := min(2*len(frames), t.meter.direct.most)
	t.meter.Alloc(frameBytes * int64(n))
	a := make([]frame, n)
	t.arrays = append(t.arrays, a)
	return a
}

// shrink returns to the array of n frames that a loop has started with.
func (t *thread) shrink(L *glua.LState, n int) {
	place := &t.meter.direct.place
	frames, current := &place.callsOf(L).array, place.currentFrame(L)
	if len(*frames) == n {
		return
	}
	for _, a := range t.arrays {
		if len(a) == n {
			*frames = a
		}
	}
	if *current != nil {
		*current = &(*frames)[(*current).Idx]
	}
}

// overflow refuses a call from Go. The error has the position of the caller.
func overflow(L *glua.LState, callee *frame, message glua.LString) {
	callee.Pc = 1 // tracebacks read the instruction before
	L.Error(message, 2)
}
