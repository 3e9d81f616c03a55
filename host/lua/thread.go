package lua

import (
	"context"
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/internal/rule"
)

// Thread is the Lua side of one fiber: its main function and the coroutines that are active above
// it. It serves one Run.
type Thread struct {
	state   *State
	carrier Carrier
	context context.Context // what Go functions get from their LState; nil is none
	env     *glua.LTable
	main    routine
	top     *routine // the innermost active routine: it runs when the thread is mounted
	spawned bool

	holds threadValues // for the memory quota
}

// Main makes the thread of a main program.
func (s *State) Main() *Thread { return s.newThread(s.base.Env, false) }

// Spawn makes the thread of a fiber that Lua code running on L starts. It inherits L's
// globals, as a coroutine does.
func (s *State) Spawn(L *glua.LState) *Thread { return s.newThread(L.Env, true) }

// Discarded reports whether the caller of the Go function that executes on L takes none of its
// results. It is false if that is not known.
func (s *State) Discarded(L *glua.LState) bool { return s.guard != nil && s.guard.Discarded(L) }

func (s *State) newThread(env *glua.LTable, spawned bool) *Thread {
	t := &Thread{state: s, env: env, spawned: spawned}
	t.main.thread = t
	t.top = &t.main
	return t
}

// State is the Lua state that the thread belongs to.
func (t *Thread) State() *State { return t.state }

// Carrier is the fiber that the thread runs on, nil before Run and after.
func (t *Thread) Carrier() Carrier { return t.carrier }

// SetContext sets what LState.Context returns to the Go functions that the thread calls, also in
// coroutines. Without it, it is nil. Call it before Run. Where instructions are counted by gopher-lua's
// context loop (build tag purego), Done of that context counts an instruction and never ends, so
// Go functions take only values, deadline, error and cause from it. A thread that Go code makes with
// LState.NewThread ends with the context, as in gopher-lua.
func (t *Thread) SetContext(ctx context.Context) { t.context = ctx }

// Run calls fn on the calling Go stack, which is the fiber's, and returns its results.
// The error of a failed call is a *glua.ApiError: Object is the Lua error value,
// StackTrace the Lua traceback. If the fiber is killed or cancelled, or Go code in it
// calls runtime.Goexit, Run does not return but unwinds.
func (t *Thread) Run(c Carrier, fn *glua.LFunction, args ...glua.LValue) ([]glua.LValue, error) {
	if t.main.status != fresh {
		panic("lua: Run of a thread that ran before; make one for each call: " + rule.Cite(rule.Closed))
	}
	if len(args) >= t.state.config.MaxStack {
		return nil, &glua.ApiError{Type: glua.ApiErrorRun, Object: glua.LString("registry overflow")}
	}
	L := t.begin(c)
	defer t.end()
	if err := t.call(L, fn, args...); err != nil {
		t.show(L, err)
		t.state.memory.keepError(err)
		return nil, t.described(err, fn)
	}
	values := t.main.results()
	t.state.memory.keep(values...)
	return values, nil
}

// call is LState.PCall, but does not clear a thread that has failed: closures of other fibers may
// refer to its variables.
func (t *Thread) call(L *glua.LState, fn *glua.LFunction, args ...glua.LValue) (err error) {
	L.Panic = t.state.quiet
	defer func() {
		switch p := recover().(type) {
		case nil: // it has returned, or the stack unwinds
		case *glua.ApiError:
			if err = p; p.StackTrace == "" {
				p.StackTrace = t.state.trace(L)
			}
		default:
			err = failure(p, t.state.trace(L))
		}
	}()
	L.Push(fn)
	L.Call(push(L, args...), glua.MultRet)
	return nil
}

func (t *Thread) begin(c Carrier) *glua.LState {
	L := t.state.newL(&t.main, t.env)
	if t.spawned {
		L.Parent = t.state.anchor
	}
	t.state.meter.SetContext(L, t.context)
	t.main.L, t.main.status, t.carrier = L, active, c
	t.state.memory.started(t)
	t.takeOver()
	return L
}

func (t *Thread) end() {
	t.state.profiler.pause()
	t.main.L, t.main.status, t.carrier = nil, dead, nil
	t.state.Settle()
	t.state.payer = nil
	t.state.memory.remove(t)
	t.state.makeCurrent(&t.state.idle.main)
	t.state.sweep()
}

// described corrects the traceback of err: gopher-lua takes a spawned function for a coroutine,
// and calls it "corountine".
func (t *Thread) described(err error, fn *glua.LFunction) error {
	if e, ok := err.(*glua.ApiError); ok && t.spawned && !fn.IsG {
		name := fmt.Sprintf("in function <%s:%d>", fn.Proto.SourceName, fn.Proto.LineDefined)
		e.StackTrace = strings.Replace(e.StackTrace, "in corountine", name, 1)
	}
	return err
}
