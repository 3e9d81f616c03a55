//go:build !purego

package live

import (
	"unsafe"

	glua "github.com/yuin/gopher-lua"
)

// Value adds a value and what it refers to, unless it was added before. nil is none.
func (w *Walk) Value(v glua.LValue) {
	if w.layout == nil {
		w.plainValue(v)
		return
	}
	switch of := v.(type) {
	case glua.LNumber:
		w.numberAt(uintptr((*words)(unsafe.Pointer(&v)).value), of)
	case glua.LString:
		if w.seen.add(uintptr((*words)(unsafe.Pointer(&v)).value)) {
			w.bytes += stringHeader
			w.characters(string(of))
		}
	case *glua.LTable:
		if w.first(of) {
			w.bytes += tableHeader
			w.table(of)
			w.open.push(part{object: of})
		}
	case *glua.LFunction:
		if w.first(of) {
			w.bytes += functionHeader + w.object(8*cap(of.Upvalues))
			w.open.push(part{object: of})
		}
	case *glua.LUserData:
		if w.first(of) {
			w.userdata(of)
		}
	case *glua.LState:
		w.Thread(of)
	}
}

// first returns whether an object, which is a pointer, was not visited.
func (w *Walk) first(object any) bool {
	w.work++
	if w.layout == nil {
		return w.firstPlain(object)
	}
	return w.seen.add(uintptr((*words)(unsafe.Pointer(&object)).value))
}

// numberAt adds the block of a number. Small integers are in the program itself.
func (w *Walk) numberAt(address uintptr, n glua.LNumber) {
	const static = 128
	if address/numberBlock == w.number || n >= 0 && n < static && n == glua.LNumber(int(n)) {
		return
	}
	w.number = address / numberBlock
	if w.seen.addBlock(address) {
		w.bytes += numberBlock
	}
}

// characters adds the bytes of a string. Go puts several short ones into 16 bytes: which, depends on what
// else it has allocated, so these count by their length, with each reference.
func (w *Walk) characters(s string) {
	switch {
	case len(s) < granule:
		w.bytes += w.text(len(s))
	case w.seen.add(uintptr(unsafe.Pointer(unsafe.StringData(s)))):
		w.bytes += w.text(len(s))
		w.work += int64(len(s)) >> 12
	}
}

// namesOf is how many texts of constants a compiled function has room for.
func (w *Walk) namesOf(f *glua.FunctionProto) int {
	if w.layout == nil {
		return cap(f.Constants)
	}
	return cap(*(*[]string)(unsafe.Add(unsafe.Pointer(f), w.layout.names)))
}

// Thread adds a thread of gopher-lua: its registers and frames.
func (w *Walk) Thread(L *glua.LState) {
	if L == nil || !w.first(L) || w.Coroutine != nil && w.Coroutine(w, L) {
		return
	}
	if w.layout == nil {
		w.plainThread(L)
		return
	}
	w.bytes += threadHeader + w.frameBytes(stack{L})
	if L.Env != nil {
		w.Value(L.Env)
	}
	w.registers(w.registersOf(L))
	w.open.push(part{object: stack{L}})
}

// Again adds what the registers and frames of a thread refer to, if it was added before and has
// executed since.
func (w *Walk) Again(L *glua.LState) {
	if L == nil || w.layout == nil || w.first(L) {
		return
	}
	w.open.push(part{object: w.registersOf(L)})
	w.open.push(part{object: stack{L}})
}

// registers is a registry of gopher-lua.
type registers struct{ registry unsafe.Pointer }

func (w *Walk) registersOf(L *glua.LState) registers {
	return registers{*(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(L), w.layout.registry))}
}

func (w *Walk) registers(r registers) {
	if r.registry != nil && w.first(r) {
		const header = 64
		w.bytes += header + w.object(16*cap(w.valuesOf(r)))
		w.open.push(part{object: r})
	}
}

func (w *Walk) valuesOf(r registers) []glua.LValue {
	return *(*[]glua.LValue)(unsafe.Add(r.registry, w.layout.values))
}

// stack is the frames of a thread that are in use.
type stack struct{ of *glua.LState }

// arrayOf is the frames of a thread and how many are in use; the elements have another size. It is nil
// for a stack of another type.
func (w *Walk) arrayOf(s stack) (frames []struct{}, used int) {
	value := (*words)(unsafe.Add(unsafe.Pointer(s.of), w.layout.stack))
	if value.kind != w.layout.stackType || value.value == nil {
		return nil, 0
	}
	return *(*[]struct{})(unsafe.Add(value.value, w.layout.frames)), *(*int)(unsafe.Add(value.value, w.layout.used))
}

// frameAt is the function of a frame; ok is false behind the last.
func (w *Walk) frameAt(s stack, i int) (fn *glua.LFunction, ok bool) {
	frames, used := w.arrayOf(s)
	if i >= used || i >= len(frames) {
		return nil, false
	}
	frame := unsafe.Add(unsafe.Pointer(unsafe.SliceData(frames)), uintptr(i)*w.layout.frameSize)
	return *(**glua.LFunction)(unsafe.Add(frame, w.layout.function)), true
}

// frameBytes is the size of the frames of a thread. One that has grown also keeps the smaller arrays
// that it has had.
func (w *Walk) frameBytes(s stack) int64 {
	const first = 16
	frames, _ := w.arrayOf(s)
	bytes := w.object(cap(frames) * int(w.layout.frameSize))
	if cap(frames) > first {
		bytes *= 2
	}
	return bytes
}
