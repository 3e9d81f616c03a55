package vm

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/wait"
)

// State is a fiber: the payload of the scheduler.
type State struct {
	num    []uint64 // the stacks of registers; frames are windows on them
	ref    []any
	frames []frame
	more   *extra // nil until the fiber needs any of it
	waits  bool   // the instruction before pc is to be finished
}

// extra is what few fibers have.
type extra struct {
	panics *guestPanic // the one in force, or recovered in the deferred call that runs
	sel    *choice     // of the select that waits
	call   *lib.Call   // of the native function that waits
	main   bool
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
}

func (st *State) extra() *extra {
	if st.more == nil {
		st.more = &extra{}
	}
	return st.more
}

func (st *State) top() *frame { return &st.frames[len(st.frames)-1] }

// begin gives a fiber its first frame, with a window that has room for its arguments.
func (st *State) begin(fn *code.Func) {
	st.num = make([]uint64, fn.N)
	st.ref = make([]any, fn.R)
	st.frames = append(make([]frame, 0, 1), frame{fn: fn})
}

// window is where the registers of a new call of fn begin and end.
func (st *State) push(fn *code.Func, nb, rb int) {
	if need := nb + fn.N; need > len(st.num) {
		st.num = grown(st.num, need)
	}
	if need := rb + fn.R; need > len(st.ref) {
		st.ref = grown(st.ref, need)
	}
	st.frames = append(st.frames, frame{fn: fn, nb: int32(nb), rb: int32(rb)})
}

// grown is the stack with room for more; a small one grows by little.
func grown[T any](s []T, need int) []T {
	size := need
	if len(s) >= 32 {
		size = max(need, 2*len(s))
	}
	g := make([]T, size)
	copy(g, s)
	return g
}

// above is where the window of a call begins that the frame on top makes out of turn.
func (st *State) above() (nb, rb int) {
	fr := st.top()
	return int(fr.nb) + fr.fn.N, int(fr.rb) + fr.fn.R
}
