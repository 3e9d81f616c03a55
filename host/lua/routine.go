package lua

import (
	"fmt"
	"weak"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/internal/stack"
)

// status of a routine. Only active ones belong to a fiber.
type status uint8

const (
	fresh     status = iota // has no stack yet
	suspended               // yielded; its stack is parked
	active                  // runs, or waits for a coroutine that it resumed
	dead
)

// routine is one flow of Lua control: the main function of a fiber, or a coroutine.
type routine struct {
	L       *glua.LState // nil before it starts, and when it has returned
	thread  *Thread      // the fiber it is active on
	status  status
	depth   int // coroutines that are active below it
	fault   glua.LValue
	stack   *stack.Stack // nil for a main function, which has the fiber's
	handle  weak.Pointer[glua.LState]
	fn      *glua.LFunction // until it starts
	nargs   int             // of the call of fn
	watched bool            // the collector will tell when handle is gone

	next, prev *routine // in State.live
}

// body is what a coroutine's stack runs.
func (r *routine) body(*stack.Stack) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if p := recover(); p != nil { // nil: it is being unwound
			r.fault = errorValue(p)
		}
	}()
	r.L.Call(r.nargs, glua.MultRet)
	returned = true
}

// errorValue is the Lua error value of a Go panic, as gopher-lua's pcall sees it.
func errorValue(p any) glua.LValue {
	if err, ok := p.(*glua.ApiError); ok {
		return err.Object
	}
	return glua.LString(fmt.Sprint(p))
}

// give moves to L what r yielded or returned.
func (r *routine) give(s *State, L *glua.LState) {
	from, n := r.L, r.L.GetTop()
	if r.status == dead {
		r.L = nil
		if from.Dead { // a Lua function that returned: see State.anchor
			from, n = s.anchor, s.anchor.GetTop()-1
			defer from.SetTop(0)
		}
	}
	from.XMoveTo(L, n)
}

// results are what a fiber's main function returned.
func (r *routine) results() []glua.LValue {
	from, first := r.L, 1
	if from.Dead {
		from, first = r.thread.state.anchor, 2
	}
	values := make([]glua.LValue, 0, max(from.GetTop()-first+1, 0))
	for i := first; i <= from.GetTop(); i++ {
		values = append(values, from.Get(i))
	}
	from.SetTop(0)
	return values
}
