package live

import glua "github.com/yuin/gopher-lua"

// Sizes of Go objects, as the allocator rounds them.
const (
	stringHeader   = 16
	tableHeader    = 96
	functionHeader = 64
	variableSize   = 48
	userdataHeader = 48
	unknownObject  = 64 // a Go value of a userdata
	threadHeader   = 208 + 64 + numberBlock + 80
)

func (w *Walk) userdata(u *glua.LUserData) {
	w.bytes += userdataHeader
	if holder, ok := u.Value.(Holder); ok {
		w.open.push(part{object: holder})
	} else {
		w.bytes += unknownObject
	}
	w.Value(u.Metatable)
	if u.Env != nil {
		w.Value(u.Env)
	}
}

// The plain walk uses only what gopher-lua exports. It does not see the keys that were deleted, the
// room that a table has for more, the registers of threads and which strings share their bytes: strings
// with the same text count once. It visits a table in one step.

// Estimates of the plain walk.
const (
	plainNumber    = 8
	plainEntry     = 160 // of the hash part, and the smallest maps
	threadEstimate = 4 << 10
)

func (w *Walk) firstPlain(object any) bool {
	if _, found := w.plain[object]; found {
		return false
	}
	w.plain[object] = struct{}{}
	return true
}

func (w *Walk) plainValue(v glua.LValue) {
	switch of := v.(type) {
	case glua.LNumber:
		w.bytes += plainNumber
	case glua.LString:
		w.bytes += stringHeader
		if w.firstPlain(of) {
			w.bytes += w.text(max(len(of), granule))
		}
	case *glua.LTable:
		if w.first(of) {
			w.bytes += tableHeader
			w.open.push(part{object: of})
		}
	case *glua.LFunction:
		if w.first(of) {
			w.bytes += functionHeader + (8+variableSize)*int64(len(of.Upvalues))
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

// stepPlain visits an object as a whole.
func (w *Walk) stepPlain(p *part) bool {
	if p.next == finished {
		return true
	}
	p.next = finished
	switch of := p.object.(type) {
	case *glua.LTable:
		w.plainTable(of)
	case *glua.LFunction:
		if of.Env != nil {
			w.Value(of.Env)
		}
		w.code(of.Proto)
		for _, variable := range of.Upvalues {
			if variable != nil {
				w.Value(variable.Value())
			}
		}
	}
	return false
}

func (w *Walk) plainTable(t *glua.LTable) {
	w.Value(t.Metatable)
	length := glua.LNumber(t.Len())
	t.ForEach(func(key, value glua.LValue) {
		w.work++
		if n, ok := key.(glua.LNumber); ok && n >= 1 && n <= length {
			w.bytes += 16
		} else {
			w.bytes += plainEntry
			w.Value(key)
		}
		w.Value(value)
	})
}

// plainThread adds the local variables of a thread, and the values of the frame that executes.
func (w *Walk) plainThread(L *glua.LState) {
	w.bytes += threadEstimate
	if L.Env != nil {
		w.Value(L.Env)
	}
	for i := range L.GetTop() {
		w.Value(L.Get(i + 1))
	}
	for level := 0; ; level++ {
		frame, ok := L.GetStack(level)
		if !ok {
			return
		}
		for i := 1; ; i++ {
			name, v := L.GetLocal(frame, i)
			if name == "" {
				break
			}
			w.Value(v)
		}
	}
}
