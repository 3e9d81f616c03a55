//go:build !purego

package live

import (
	"reflect"
	"sync"
	"unsafe"

	glua "github.com/yuin/gopher-lua"
)

// layout is the offsets of fields of gopher-lua that are not exported.
type layout struct {
	array, keys, dict, strings uintptr // of a table
	registry, stack            uintptr // of a thread
	values, owner              uintptr // of a registry
	frames, used               uintptr // of a fixed call stack
	frameSize, function        uintptr // of a frame
	value, variableRegistry    uintptr // of an Upvalue
	names                      uintptr // of a FunctionProto: the texts of its constants
	stackType                  uintptr // the type word of a fixed call stack

	maps bool // the runtime's maps are as runtimeMap says
}

// known is the layout of the gopher-lua that is linked; nil if it has other fields.
var known = sync.OnceValue(func() *layout {
	l := new(layout)
	f := fields{ok: true}
	table := reflect.TypeFor[glua.LTable]()
	l.array = f.offset(table, "array", "[]lua.LValue")
	l.keys = f.offset(table, "keys", "[]lua.LValue")
	l.dict = f.offset(table, "dict", "map[lua.LValue]lua.LValue")
	l.strings = f.offset(table, "strdict", "map[string]lua.LValue")
	f.offset(table, "k2i", "map[lua.LValue]int")

	state := reflect.TypeFor[glua.LState]()
	l.registry = f.offset(state, "reg", "*lua.registry")
	l.stack = f.offset(state, "stack", "lua.callFrameStack")
	f.offset(state, "currentFrame", "*lua.callFrame")
	variable := reflect.TypeFor[glua.Upvalue]()
	l.variableRegistry = f.offset(variable, "reg", "*lua.registry")
	l.value = f.offset(variable, "value", "lua.LValue")
	l.names = f.offset(reflect.TypeFor[glua.FunctionProto](), "stringConstants", "[]string")
	if !f.ok {
		return nil
	}
	registry, _ := state.FieldByName("reg")
	l.values = f.offset(registry.Type.Elem(), "array", "[]lua.LValue")
	l.owner = f.offset(registry.Type.Elem(), "handler", "lua.registryHandler")
	current, _ := state.FieldByName("currentFrame")
	l.frameSize = current.Type.Elem().Size()
	l.function = f.offset(current.Type.Elem(), "Fn", "*lua.LFunction")
	l.findStack(&f)
	if !f.ok {
		return nil
	}
	l.maps = mapsAreKnown()
	return l
})

// fields looks fields up, and remembers whether one was not found.
type fields struct{ ok bool }

func (f *fields) offset(of reflect.Type, name, kind string) uintptr {
	field, found := of.FieldByName(name)
	if !found || field.Type.String() != kind {
		f.ok = false
		return 0
	}
	return field.Offset
}

// findStack finds the fields of a fixed call stack, which a thread with few frames has.
func (l *layout) findStack(f *fields) {
	L := glua.NewState(glua.Options{SkipOpenLibs: true, RegistrySize: 128, CallStackSize: 5})
	stack := reflect.NewAt(reflect.TypeFor[glua.LState](), unsafe.Pointer(L)).Elem().FieldByName("stack").Elem()
	if stack.Type().String() != "*lua.fixedCallFrameStack" {
		f.ok = false
		return
	}
	l.frames = f.offset(stack.Type().Elem(), "array", "[]lua.callFrame")
	l.used = f.offset(stack.Type().Elem(), "sp", "int")
	l.stackType = (*words)(unsafe.Add(unsafe.Pointer(L), l.stack)).kind
}

// words are the two words of an interface value.
type words struct {
	kind  uintptr
	value unsafe.Pointer
}

// runtimeMap and runtimeTable are the maps of Go 1.24 to 1.26.
type runtimeMap struct {
	used      uint64
	_         uintptr
	directory unsafe.Pointer
	length    int
}

type runtimeTable struct{ _, slots uint16 }

// slots is how many slots a map has; ok is false if the runtime has other maps.
func (l *layout) slots(m unsafe.Pointer) (n int, ok bool) {
	header := (*runtimeMap)(m)
	switch {
	case !l.maps:
		return 0, false
	case header.directory == nil:
		return 0, true
	case header.length == 0:
		return groupSlots, true
	}
	var last *runtimeTable // a table has one or more places in a row
	for _, table := range unsafe.Slice((**runtimeTable)(header.directory), header.length) {
		if table != last {
			n, last = n+int(table.slots), table
		}
	}
	return n, true
}

// mapsAreKnown looks at maps of several sizes, at first only at what any header has.
func mapsAreKnown() bool {
	for _, n := range []int{1, 8, 9, 60, 800, 5000} {
		m := make(map[int]int)
		for i := range n {
			m[i] = i
		}
		header := *(**runtimeMap)(unsafe.Pointer(&m))
		tables := 0
		if n > groupSlots {
			tables = max(1, slotsOf(n)/tableSlots)
		}
		if header.used != uint64(n) || header.length < tables || header.length > 2*tables {
			return false
		}
		if slots, _ := (&layout{maps: true}).slots(unsafe.Pointer(header)); n <= room(tableSlots) && slots != slotsOf(n) || slots < n {
			return false
		}
	}
	return true
}
