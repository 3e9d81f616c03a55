package vm

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/wait"
)

// State is a fiber: the payload of the scheduler.
type State struct {
	num    []uint64 // the stacks of registers; frames are windows on them
	ref    []any
	frames []frame
	more   *extra // nil until the fiber needs it
	waits  half   // what the instruction before pc waits for
}

// half says what is left to do of an instruction that has waited.
type half uint8

const (
	none       half = iota
	sent            // nothing more, if the value was accepted
	rest            // more, or not known here
	returning       // it has not waited: the errors that it returns are described
	describing      // it has not waited: its panics are described
	working         // it has not waited: its operation is suspended
	watching        // it has let another fiber preempt it
)

// extra is what few fibers need.
type extra struct {
	panics   *guestPanic // the current one, or the one recovered in the running deferred call
	sel      *choice     // of a select that waits
	call     *lib.Call   // of a native function that waits
	op       *operation  // of an instruction that takes longer than a slice
	deferred *deferred   // those that have not begun, the last one first
	invoked  *Invocation // of the first function, if the host has called it
	passed   []Passed    // the errors that it returns
	trial    *trial      // while its panics are described
	main     bool
}

// choice is the wait of a select.
type choice struct {
	wait.Select
	list []wait.Case
}

// frame is one call.
type frame struct {
	fn     *code.Func
	nb, rb int32 // where its window begins in the stacks
	pc     int32 // the next instruction, while it is not the one that runs
	// deferring says that the call above is a deferred one of this frame.
	deferring bool
	// ret is the native return address of the call above; 0 if there is none. It is valid only as
	// long as pc has the value it had when ret was set.
	ret uintptr
}

func (st *State) extra() *extra {
	if st.more == nil {
		st.more = &extra{}
	}
	return st.more
}

func (st *State) isMain() bool { return st.more != nil && st.more.main }

func (st *State) top() *frame { return &st.frames[len(st.frames)-1] }

// window is the registers of the top frame.
func (st *State) window() (n []uint64, r []any) {
	fr := st.top()
	return window(st.num, fr.nb, fr.fn.N), window(st.ref, fr.rb, fr.fn.R)
}

// window is a part of a stack. Sliced this way, the address of an empty part needs no masking to
// stay within the stack.
func window[T any](stack []T, from int32, size int) []T {
	at, n := int(uint32(from)), int(uint32(size))
	if n == 0 {
		return nil
	}
	return stack[at : at+n : at+n]
}

// begin gives a fiber its first frame, with a window that has room for its arguments.
func (st *State) begin(fn *code.Func) {
	st.num = make([]uint64, fn.N)
	st.ref = make([]any, fn.R)
	st.frames = append(make([]frame, 0, 1), frame{fn: fn})
}

// push begins a call of fn with the registers from nb and rb on. It returns false, and changes
// nothing, if the stack would be too deep.
func (m *Machine) push(st *State, fn *code.Func, nb, rb int) bool {
	if len(st.frames) >= m.cfg.MaxDepth {
		return false
	}
	if n, r := nb+fn.N, rb+fn.R; n > len(st.num) || r > len(st.ref) {
		if n > m.cfg.MaxStack || r > m.cfg.MaxStack {
			return false
		}
		had := bytesOf(len(st.num), len(st.ref))
		st.num, st.ref = grown(st.num, n), grown(st.ref, r)
		m.grew(bytesOf(len(st.num), len(st.ref)), had)
	}
	if len(st.frames) == cap(st.frames) { // grow by no more than the limit allows
		frames := make([]frame, len(st.frames), min(2*len(st.frames)+1, m.cfg.MaxDepth))
		m.grew(cap(frames)*int(frameSize), len(st.frames)*int(frameSize))
		copy(frames, st.frames)
		st.frames = frames
	}
	st.frames = append(st.frames, frame{fn: fn, nb: int32(nb), rb: int32(rb)})
	return true
}

// grew counts a stack that has been moved to more memory. Small ones are not worth a step.
func (m *Machine) grew(to, from int) {
	m.alloc(to)
	if to > value.PieceBytes {
		m.charge(to + from)
	}
}

// roomToGrow reports whether there is memory for the stack that a call needs; if it returns false, the
// instruction of the call begins anew after a measurement.
func (m *Machine) roomToGrow(fn *code.Func, st *State, nb, rb int) (step, bool) {
	n, r := nb+fn.N, rb+fn.R
	if !m.mem.limited || n <= len(st.num) && r <= len(st.ref) && len(st.frames) < cap(st.frames) {
		return next, true
	}
	bytes := 2 * (bytesOf(max(n, len(st.num)), max(r, len(st.ref))) + len(st.frames)*int(frameSize))
	if int64(bytes) <= m.mem.room {
		return next, true
	}
	return m.lack(st, bytes), false
}

// grown returns the stack with more capacity; a small one grows by little.
func grown[T any](s []T, need int) []T {
	if need <= len(s) {
		return s
	}
	size := need
	if len(s) >= 32 {
		size = max(need, 2*len(s))
	}
	g := make([]T, size)
	copy(g, s)
	return g
}

// above is where the window begins of a call that the top frame makes out of turn.
func (st *State) above() (nb, rb int) {
	fr := st.top()
	return int(fr.nb) + fr.fn.N, int(fr.rb) + fr.fn.R
}
