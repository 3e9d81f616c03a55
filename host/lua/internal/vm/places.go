//go:build !purego

package vm

import (
	"context"
	"reflect"
	"sync"
	"unsafe"

	glua "github.com/yuin/gopher-lua"
)

// places are the offsets of the fields that the loop uses: of an LState, and of a table.
type places struct {
	loop, frame, stack, registry, context, open uintptr

	elements      uintptr // of a table
	keys, numbers uintptr // of a table: the keys of the hash part in their order, and their numbers
	strings       uintptr // of a table: the map of the keys that are strings
}

// callStack is gopher-lua's fixed one.
type callStack struct {
	array []frame // also those that no call uses
	sp    int     // how many calls there are
}

// upvalue is how gopher-lua's starts.
type upvalue struct {
	next  *upvalue
	_     unsafe.Pointer
	index int // its register, while it is open
}

// registry is how gopher-lua's starts.
type registry struct {
	array  []glua.LValue
	top    int // the end of the slots that are in use
	growBy int // in slots
}

func (p *places) mainLoop(L *glua.LState) *loop {
	return (*loop)(unsafe.Add(unsafe.Pointer(L), p.loop))
}

func (p *places) currentFrame(L *glua.LState) **frame {
	return (**frame)(unsafe.Add(unsafe.Pointer(L), p.frame))
}

func (p *places) contextOf(L *glua.LState) *context.Context {
	return (*context.Context)(unsafe.Add(unsafe.Pointer(L), p.context))
}

func (p *places) callsOf(L *glua.LState) *callStack {
	return (*callStack)((*iface)(unsafe.Add(unsafe.Pointer(L), p.stack)).value)
}

func (p *places) registryOf(L *glua.LState) *registry {
	return *(**registry)(unsafe.Add(unsafe.Pointer(L), p.registry))
}

func (p *places) registers(L *glua.LState) int { return len(p.registryOf(L).array) }

// firstOpen is the first open upvalue of a thread. The list has them by register.
func (p *places) firstOpen(L *glua.LState) *upvalue {
	return *(**upvalue)(unsafe.Add(unsafe.Pointer(L), p.open))
}

// executing is the frame that executes, and the registers from its first on.
func (p *places) executing(L *glua.LState) (*frame, []glua.LValue) {
	cf := *p.currentFrame(L)
	return cf, p.registryOf(L).array[cf.LocalBase:]
}

// put sets a register, and extends the part of the registry that is used up to it.
func (p *places) put(L *glua.LState, cf *frame, register int, v glua.LValue) {
	r, at := p.registryOf(L), cf.LocalBase+register
	r.array[at] = v
	if at >= r.top {
		r.top = at + 1
	}
}

// arrayOf is the array part of a table, with its unused elements.
func (p *places) arrayOf(t *glua.LTable) *[]glua.LValue {
	return (*[]glua.LValue)(unsafe.Add(unsafe.Pointer(t), p.elements))
}

// keyCount is how many keys the hash part has had.
func (p *places) keyCount(t *glua.LTable) int {
	return len(*p.keysOf(t))
}

// hasStrings returns whether the table has a map for keys that are strings.
func (p *places) hasStrings(t *glua.LTable) bool {
	return *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(t), p.strings)) != nil
}

// keysOf are the keys that the hash part of a table has had.
func (p *places) keysOf(t *glua.LTable) *[]glua.LValue {
	return (*[]glua.LValue)(unsafe.Add(unsafe.Pointer(t), p.keys))
}

// numbersOf are the indexes of keysOf.
func (p *places) numbersOf(t *glua.LTable) *map[glua.LValue]int {
	return (*map[glua.LValue]int)(unsafe.Add(unsafe.Pointer(t), p.numbers))
}

func (p *places) arrayLength(t *glua.LTable) int { return len(*p.arrayOf(t)) }

// smallNumbers are values that need no memory.
var smallNumbers = sync.OnceValue(func() *[128]glua.LValue {
	var all [128]glua.LValue
	for i := range all {
		all[i] = glua.LNumber(i)
	}
	return &all
})

// number is a value in a block of the Meter.
func (m *Meter) number(n glua.LNumber) glua.LValue {
	const block = 32 // as many as gopher-lua puts together
	if n >= 0 && n < 128 && n == glua.LNumber(int(n)) {
		return smallNumbers()[int(n)]
	}
	if len(m.numbers) == cap(m.numbers) {
		m.numbers = make([]float64, 0, block)
	}
	m.numbers = append(m.numbers, float64(n))
	v := glua.LValue(glua.LNumber(0))
	(*iface)(unsafe.Pointer(&v)).value = unsafe.Pointer(&m.numbers[len(m.numbers)-1])
	return v
}

// iface is a Go interface value.
type iface struct{ _, value unsafe.Pointer }

// findRoom finds the offsets that grow uses.
func (p *places) findRoom(state reflect.Type) bool {
	stack, found := state.FieldByName("stack")
	slots, found2 := state.FieldByName("reg")
	if !found || !found2 || stack.Type.Kind() != reflect.Interface || slots.Type.String() != "*lua.registry" {
		return false
	}
	open, found := state.FieldByName("uvcache")
	if !found || open.Type != reflect.TypeFor[*glua.Upvalue]() || !startsLike(open.Type.Elem(), reflect.TypeFor[upvalue]()) ||
		!startsLike(slots.Type.Elem(), reflect.TypeFor[registry]()) {
		return false
	}
	p.stack, p.registry, p.open = stack.Offset, slots.Offset, open.Offset
	return p.findFrames()
}

// findFrames finds the array of frames, and verifies it on a thread with five of them.
func (p *places) findFrames() bool {
	L := glua.NewState(glua.Options{SkipOpenLibs: true, RegistrySize: 128, CallStackSize: 5})
	stack := reflect.NewAt(reflect.TypeFor[glua.LState](), unsafe.Pointer(L)).Elem().FieldByName("stack").Elem()
	if stack.Type().String() != "*lua.fixedCallFrameStack" {
		return false
	}
	array, found := stack.Type().Elem().FieldByName("array")
	sp, found2 := stack.Type().Elem().FieldByName("sp")
	var mirror callStack
	if !found || !found2 || array.Type.String() != "[]lua.callFrame" || sp.Type != reflect.TypeFor[int]() ||
		array.Offset != unsafe.Offsetof(mirror.array) || sp.Offset != unsafe.Offsetof(mirror.sp) {
		return false
	}
	return (*iface)(unsafe.Add(unsafe.Pointer(L), p.stack)).value == stack.UnsafePointer() && len(p.callsOf(L).array) == 5
}

// findTable finds the parts of a table.
func (p *places) findTable() bool {
	table := reflect.TypeFor[glua.LTable]()
	array, found := table.FieldByName("array")
	keys, found2 := table.FieldByName("keys")
	numbers, found3 := table.FieldByName("k2i")
	strings, found4 := table.FieldByName("strdict")
	if !found || !found2 || !found3 || !found4 || array.Type != reflect.TypeFor[[]glua.LValue]() || keys.Type != array.Type ||
		numbers.Type != reflect.TypeFor[map[glua.LValue]int]() || strings.Type != reflect.TypeFor[map[string]glua.LValue]() {
		return false
	}
	p.elements, p.keys, p.numbers, p.strings = array.Offset, keys.Offset, numbers.Offset, strings.Offset
	return true
}
