package lua

import (
	"container/list"
	"weak"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/internal/stack"
)

// status is the state of a routine. Only an active routine belongs to a fiber.
type status uint8

const (
	fresh     status = iota // has no stack yet; may become active
	suspended               // has yielded, and may be resumed
	active                  // runs, or waits for a coroutine that it has resumed
	dead                    // has returned, failed or been unwound
)

// routine is a sequence of Lua calls with a stack: the main function of a fiber, or a coroutine.
type routine struct {
	L       *glua.LState // nil before it starts, and when it has returned
	thread  *Thread      // the thread it is active on
	resumer *routine     // which waits for it while it is active; nil of a main function
	status  status
	depth   int          // how many resumes are below it
	fault   glua.LValue  // the error it ended with
	stack   *stack.Stack // nil for a main function, which has the fiber's
	handle  weak.Pointer[glua.LState]
	fn      *glua.LFunction // until it starts
	nargs   int             // of the call of fn
	watched bool            // the collector reports when handle is garbage

	building  int64 // what the texts that it builds have room for
	registers int   // how many the memory quota knows of
	nested    *int  // how many calls through Go functions its Go stack has; nil if that is not known

	element *list.Element // of State.live, while it has a stack
}

// body is the function of a coroutine's stack.
func (r *routine) body(*stack.Stack) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if p := recover(); p != nil { // nil: the stack unwinds
			r.fault = errorValue(p)
		}
	}()
	r.L.Call(r.nargs, glua.MultRet)
	returned = true
}

// moveResults moves the values that r yielded or returned to L.
func (r *routine) moveResults(s *State, L *glua.LState) {
	from, n := r.L, r.L.GetTop()
	if r.status == dead {
		r.L = nil
		if from.Dead { // a Lua function that returned: see State.anchor
			from, n = s.anchor, s.anchor.GetTop()-1
			defer from.SetTop(0)
		}
	}
	move(from, L, n)
}

// results are the values that a fiber's main function returned.
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
