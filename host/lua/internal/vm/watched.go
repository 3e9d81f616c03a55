package vm

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/internal/race"
)

// Watcher learns of the accesses to memory that fibers may share: before each instruction, or each library
// function, that makes some.
type Watcher interface {
	// Point returns whether other fibers have executed since it was called.
	Point() bool
	// Access is an access to a Slot, a Keys, a Meta, a Sequence or a *glua.Upvalue. Accesses of the kind AtomicWrite do
	// not conflict with each other.
	Access(place any, kind race.Kind)
}

type (
	// Slot is a key of a table.
	Slot struct {
		Of  *glua.LTable
		Key glua.LValue
	}
	// Keys are which keys a table has.
	Keys struct{ Of *glua.LTable }
	// Meta is the metatable of a table.
	Meta struct{ Of *glua.LTable }
	// Sequence is what the next call of a library function depends on.
	Sequence struct{ Of any }
)

// access is one of the accesses of an instruction.
type access struct {
	place any
	kind  race.Kind
}

// Accesses are those that an instruction or a library function is about to make.
type Accesses struct {
	m    *Meter
	to   Watcher
	list []access
}

// Watch makes the threads that are attached later report their accesses. It returns false if they cannot:
// only the direct loop knows the instructions.
func (m *Meter) Watch(to Watcher) bool {
	if m.direct == nil {
		return false
	}
	m.watched = &Accesses{m: m, to: to}
	return true
}

// Watched returns whether accesses are reported.
func (m *Meter) Watched() bool { return m.watched != nil }

// Access reports the accesses that collect adds. It calls collect again if other fibers have executed
// meanwhile.
func (m *Meter) Access(collect func(*Accesses)) { m.watched.report(collect) }

func (a *Accesses) report(collect func(*Accesses)) {
	a.list = a.list[:0]
	if collect(a); len(a.list) == 0 {
		return
	}
	if a.to.Point() {
		a.list = a.list[:0]
		collect(a)
	}
	for _, one := range a.list {
		a.to.Access(one.place, one.kind)
	}
}

func (a *Accesses) add(place any, kind race.Kind) { a.list = append(a.list, access{place, kind}) }

// Read is a read of a key, as rawget does it.
func (a *Accesses) Read(t *glua.LTable, key glua.LValue) {
	if isKey(key) {
		a.add(Slot{t, key}, race.Read)
	}
}

// Write is an assignment to a key, as rawset does it. Those that add or remove a key conflict with an
// iteration, but not with each other.
func (a *Accesses) Write(t *glua.LTable, key, v glua.LValue) {
	if !isKey(key) {
		return
	}
	a.add(Slot{t, key}, race.Write)
	if (a.m.Get(t, key) == glua.LNil) != (v == glua.LNil) {
		a.add(Keys{t}, race.AtomicWrite)
	}
}

// isKey returns whether a table can have the key.
func isKey(key glua.LValue) bool {
	n, number := key.(glua.LNumber)
	return key != glua.LNil && !(number && n != n)
}

// Keys is a read of which keys a table has.
func (a *Accesses) Keys(t *glua.LTable) { a.add(Keys{t}, race.Read) }

// Metatable is an access to the metatable of a table.
func (a *Accesses) Metatable(t *glua.LTable, kind race.Kind) { a.add(Meta{t}, kind) }

// Next is a call whose result depends on how many there were before; it cannot race.
func (a *Accesses) Next(of any) { a.add(Sequence{of}, race.AtomicWrite) }

// Length is a read of the border of a table: of the last element and of the next one. It returns the
// border.
func (a *Accesses) Length(t *glua.LTable) int {
	n := t.Len()
	if n > 0 {
		a.Read(t, glua.LNumber(n))
	}
	a.Read(t, glua.LNumber(n+1))
	return n
}

// index is a read as in an expression: a key that is absent is looked up as the metatable says.
func (a *Accesses) index(of, key glua.LValue) {
	for range glua.MaxTableGetLoop {
		t, ok := of.(*glua.LTable)
		if !ok {
			return
		}
		a.Read(t, key)
		if a.m.Get(t, key) != glua.LNil {
			return
		}
		of = a.event(t, "__index")
	}
}

// newIndex is an assignment as in a statement.
func (a *Accesses) newIndex(of, key, v glua.LValue) {
	for range glua.MaxTableGetLoop {
		t, ok := of.(*glua.LTable)
		if !ok {
			return
		}
		present := a.m.Get(t, key) != glua.LNil
		var next glua.LValue = glua.LNil
		if !present {
			next = a.event(t, "__newindex")
		}
		if next == glua.LNil {
			a.Write(t, key, v)
			return
		}
		a.Read(t, key)
		of = next
	}
}

// event is a read of a field of a metatable.
func (a *Accesses) event(t *glua.LTable, name glua.LString) glua.LValue {
	a.Metatable(t, race.Read)
	meta, ok := t.Metatable.(*glua.LTable)
	if !ok {
		return glua.LNil
	}
	a.Read(meta, name)
	return meta.RawGetString(string(name))
}
