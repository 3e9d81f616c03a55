//go:build !purego

package live

import (
	"unsafe"

	glua "github.com/yuin/gopher-lua"
)

// stepKnown visits the next parts of an object whose layout is known.
func (w *Walk) stepKnown(p *part, work int64) bool {
	switch of := p.object.(type) {
	case *glua.LTable:
		return w.stepTable(of, p, work)
	case *glua.LFunction:
		return w.stepFunction(of, p, work)
	case registers:
		return w.stepRegisters(w.valuesOf(of), p, work)
	case stack:
		return w.stepFrames(of, p, work)
	}
	return true
}

// tableFields are the parts of a table that gopher-lua does not export.
type tableFields struct {
	array, keys   []glua.LValue
	dict, strings unsafe.Pointer
}

func (w *Walk) fieldsOf(t *glua.LTable) tableFields {
	at, l := unsafe.Pointer(t), w.layout
	return tableFields{
		*(*[]glua.LValue)(unsafe.Add(at, l.array)), *(*[]glua.LValue)(unsafe.Add(at, l.keys)),
		*(*unsafe.Pointer)(unsafe.Add(at, l.dict)), *(*unsafe.Pointer)(unsafe.Add(at, l.strings)),
	}
}

// The slots of the maps of a table.
const (
	stringSlot = 32 // string and value
	valueSlot  = 32 // value and value
	indexSlot  = 24 // value and index
)

// table adds the memory of a table without what its keys and values refer to.
func (w *Walk) table(t *glua.LTable) {
	f := w.fieldsOf(t)
	w.bytes += w.object(16*cap(f.array)) + w.object(16*cap(f.keys))
	dict := *(*map[glua.LValue]glua.LValue)(unsafe.Pointer(&f.dict))
	strings := *(*map[string]glua.LValue)(unsafe.Pointer(&f.strings))
	dead := len(f.keys) - len(dict) - len(strings)
	if f.dict != nil {
		w.bytes += w.mapOf(w.slots(f.dict, len(dict), dead), valueSlot)
	}
	if f.strings != nil {
		w.bytes += w.mapOf(w.slots(f.strings, len(strings), dead), stringSlot)
	}
	if f.keys != nil {
		w.bytes += w.mapOf(slotsOf(len(f.keys)), indexSlot)
	}
}

// slots is how many slots a map of n entries has. When the tables of a large map are divided depends
// on random numbers, so the size that it has grown to is calculated, unless many keys were deleted: dead
// is how many, from this map and from the other one of the table.
func (w *Walk) slots(m unsafe.Pointer, n, dead int) int {
	const many = 8
	if n <= room(tableSlots) || dead > n/many {
		if slots, ok := w.layout.slots(m); ok {
			return slots
		}
	}
	return slotsOf(n)
}

// stepTable visits the metatable, the elements of the array and the entries of the hash part.
func (w *Walk) stepTable(t *glua.LTable, p *part, work int64) bool {
	f := w.fieldsOf(t)
	if p.next == 0 {
		p.next++
		w.Value(t.Metatable)
		if w.opened(p, work) {
			return false
		}
	}
	for i := p.next - 1; i < len(f.array); i++ {
		p.next++
		w.work++
		w.Value(f.array[i])
		if w.opened(p, work) {
			return false
		}
	}
	for i := p.next - 1 - len(f.array); i < len(f.keys); i++ {
		p.next++
		w.work += 2
		w.entry(f, f.keys[i])
		if w.opened(p, work) {
			return false
		}
	}
	return true
}

// entry visits a key and its value. gopher-lua keeps a string key twice.
func (w *Walk) entry(f tableFields, key glua.LValue) {
	w.Value(key)
	if s, ok := key.(glua.LString); ok {
		w.bytes += stringHeader
		w.Value((*(*map[string]glua.LValue)(unsafe.Pointer(&f.strings)))[string(s)])
		return
	}
	w.Value((*(*map[glua.LValue]glua.LValue)(unsafe.Pointer(&f.dict)))[key])
}

// stepFunction visits globals and code, then the variables.
func (w *Walk) stepFunction(fn *glua.LFunction, p *part, work int64) bool {
	if p.next == 0 {
		p.next++
		if fn.Env != nil {
			w.Value(fn.Env)
		}
		w.code(fn.Proto)
		if w.opened(p, work) {
			return false
		}
	}
	for i := p.next - 1; i < len(fn.Upvalues); i++ {
		p.next++
		w.variable(fn.Upvalues[i])
		if w.opened(p, work) {
			return false
		}
	}
	return true
}

// variable adds a variable. Also one that is closed keeps the thread in whose registers it was.
func (w *Walk) variable(v *glua.Upvalue) {
	if v == nil || !w.first(v) {
		return
	}
	w.bytes += variableSize
	if registry := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(v), w.layout.variableRegistry)); registry != nil {
		w.Thread((*glua.LState)((*words)(unsafe.Add(registry, w.layout.owner)).value))
	}
	w.Value(*(*glua.LValue)(unsafe.Add(unsafe.Pointer(v), w.layout.value)))
}

func (w *Walk) stepRegisters(values []glua.LValue, p *part, work int64) bool {
	for i := p.next; i < len(values); i++ {
		p.next++
		w.work++
		if values[i] == nil {
			continue
		}
		w.Value(values[i])
		if w.opened(p, work) {
			return false
		}
	}
	return true
}

func (w *Walk) stepFrames(s stack, p *part, work int64) bool {
	for {
		fn, ok := w.frameAt(s, p.next)
		if !ok {
			return true
		}
		p.next++
		w.work++
		if fn != nil {
			w.Value(fn)
		}
		if w.opened(p, work) {
			return false
		}
	}
}
