//go:build purego

package live

import glua "github.com/yuin/gopher-lua"

// layout does not exist in this build.
type layout struct{}

func known() *layout { return nil }

// Value adds a value and what it refers to, unless it was added before. nil is none.
func (w *Walk) Value(v glua.LValue) { w.plainValue(v) }

// first returns whether an object, which is a pointer, was not visited.
func (w *Walk) first(object any) bool {
	w.work++
	return w.firstPlain(object)
}

// Thread adds a thread of gopher-lua.
func (w *Walk) Thread(L *glua.LState) {
	if L != nil && w.first(L) && (w.Coroutine == nil || !w.Coroutine(w, L)) {
		w.plainThread(L)
	}
}

// Again adds what a thread refers to, if it was added before and has executed since.
func (w *Walk) Again(*glua.LState) {}

func (w *Walk) stepKnown(*part, int64) bool { return true }

func (w *Walk) characters(s string) { w.bytes += w.text(len(s)) }

func (w *Walk) namesOf(f *glua.FunctionProto) int { return cap(f.Constants) }
