//go:build !purego

package vm

import (
	"iter"
	"reflect"
	"unsafe"

	glua "github.com/yuin/gopher-lua"
)

// Guard protects the local variables of running functions from an error that is caught. When an
// error is raised, gopher-lua closes the upvalues of every running function: a closure and the
// function that made it continue with separate copies. A Guard removes the list of open upvalues
// from a thread during a protected call, so that an error closes only those of the functions
// inside, which end.
type Guard struct {
	place guardPlaces
	stack reflect.Type
}

// Mark is the state of a thread when a protected call began.
type Mark struct {
	frame *frame
	open  *glua.Upvalue
}

// framesOf are the methods of both call stacks of gopher-lua that a Guard uses.
type framesOf interface {
	Sp() int
	SetSp(sp int)
}

// NewGuard returns nil if this version of gopher-lua is not the one it was written for.
func NewGuard() *Guard {
	place, ok := findGuardPlaces()
	if !ok {
		return nil
	}
	stack, _ := reflect.TypeFor[glua.LState]().FieldByName("stack")
	return &Guard{place, stack.Type}
}

// Enter begins a protected call in the Go function that executes on L.
func (g *Guard) Enter(L *glua.LState) Mark {
	open := g.open(L)
	m := Mark{*g.frame(L), *open}
	*open = nil
	return m
}

// Leave ends a protected call that has returned.
func (g *Guard) Leave(L *glua.LState, m Mark) { *g.open(L) = m.open }

// Unwind ends a protected call that has failed: the Go function executes again, its arguments are
// gone, and the upvalues of the functions inside are closed.
func (g *Guard) Unwind(L *glua.LState, m Mark) {
	g.Close(L)
	*g.open(L) = m.open
	frames := reflect.NewAt(g.stack, unsafe.Add(unsafe.Pointer(L), g.place.stack)).Elem().Interface().(framesOf)
	if sp := m.frame.Idx + 1; frames.Sp() != sp { // setting the same sp corrupts a stack of full segments
		frames.SetSp(sp)
	}
	*g.frame(L) = m.frame
	L.SetTop(0)
}

// Close closes the open upvalues of L, except those of functions outside a protected call.
func (g *Guard) Close(L *glua.LState) {
	for uv := *g.open(L); uv != nil; uv = *(**glua.Upvalue)(unsafe.Add(unsafe.Pointer(uv), g.place.next)) {
		uv.Close()
	}
	*g.open(L) = nil
}

// TailCalls is how many tail calls the first function of a running thread has made.
func (g *Guard) TailCalls(L *glua.LState) int {
	bottom := *g.frame(L)
	for bottom.Parent != nil {
		bottom = bottom.Parent
	}
	return bottom.TailCall
}

// Calls are the calls that a thread is in, the innermost first.
func (g *Guard) Calls(L *glua.LState) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		slots := (*(**registry)(unsafe.Add(unsafe.Pointer(L), g.place.registry))).array
		for f := *g.frame(L); f != nil; f = f.Parent {
			if !yield(f.call(slots)) {
				return
			}
		}
	}
}

func (f *frame) call(slots []glua.LValue) Call {
	c := Call{Function: f.Fn, Instruction: -1}
	if f.Fn.IsG {
		return c
	}
	first := min(f.LocalBase, len(slots))
	c.Instruction, c.TailCalls = f.Pc-1, f.TailCall
	c.Registers = slots[first:min(first+int(f.Fn.Proto.NumUsedRegisters), len(slots))]
	if more := f.NArgs - int(f.Fn.Proto.NumParameters); IsVariadic(f.Fn.Proto) && more > 0 {
		c.Varargs = slots[first-min(more, first) : first]
	}
	return c
}

// Discarded reports whether the caller of the Go function that executes on L takes no result.
func (g *Guard) Discarded(L *glua.LState) bool { return (*g.frame(L)).NRet == 0 }

func (g *Guard) open(L *glua.LState) **glua.Upvalue {
	return (**glua.Upvalue)(unsafe.Add(unsafe.Pointer(L), g.place.open))
}

func (g *Guard) frame(L *glua.LState) **frame {
	return (**frame)(unsafe.Add(unsafe.Pointer(L), g.place.frame))
}

// guardPlaces are the offsets of fields of an LState, and of Upvalue.next.
type guardPlaces struct{ open, frame, stack, registry, next uintptr }

func findGuardPlaces() (guardPlaces, bool) {
	state := reflect.TypeFor[glua.LState]()
	open, found := state.FieldByName("uvcache")
	current, found2 := state.FieldByName("currentFrame")
	stack, found3 := state.FieldByName("stack")
	slots, found5 := state.FieldByName("reg")
	next, found4 := reflect.TypeFor[glua.Upvalue]().FieldByName("next")
	upvalue := reflect.TypeFor[*glua.Upvalue]()
	if !found || !found2 || !found3 || !found4 || !found5 || open.Type != upvalue || next.Type != upvalue ||
		current.Type.String() != "*lua.callFrame" || !startsLike(current.Type.Elem(), reflect.TypeFor[frame]()) ||
		slots.Type.String() != "*lua.registry" || !startsLike(slots.Type.Elem(), reflect.TypeFor[registry]()) ||
		stack.Type.Kind() != reflect.Interface || !stack.Type.Implements(reflect.TypeFor[framesOf]()) {
		return guardPlaces{}, false
	}
	return guardPlaces{open.Offset, current.Offset, stack.Offset, slots.Offset, next.Offset}, true
}
