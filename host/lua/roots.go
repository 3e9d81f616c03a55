package lua

import (
	"math/bits"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/live"
)

// Sizes that are not those of Lua values.
const (
	stackBytes   = 4 << 10 // a Go stack on which Lua code runs
	nestedBytes  = 5 << 8  // of it for a call through a Go function
	routineBytes = 320     // a coroutine
	threadBytes  = 1280    // a fiber with its entries in the scheduler
)

// stackSize is the size of the Go stack of a routine, which grows by doubling.
func (r *routine) stackSize() int64 {
	if r.nested == nil || *r.nested <= 1 {
		return stackBytes
	}
	return stackBytes << bits.Len(uint(*r.nested*nestedBytes/stackBytes))
}

// threadValues are what the memory quota knows of a thread.
type threadValues struct {
	before, next *Thread
	linked       bool
	waiting      []glua.LValue // what it will be called with
	ended        func() bool   // whether it ended before it was called
}

// threadList is a list of threads.
type threadList struct{ first, last *Thread }

// Holds tells the memory quota what the thread will be called with; ended reports whether it will
// not be called any more.
func (t *Thread) Holds(ended func() bool, fn *glua.LFunction, args []glua.LValue) {
	if m := t.state.memory; m != nil {
		t.holds.waiting, t.holds.ended = append([]glua.LValue{fn}, args...), ended
		m.add(t)
		m.meter.Alloc(threadBytes + 16*int64(len(args)))
	}
}

// started counts a thread that begins to run.
func (m *memory) started(t *Thread) {
	if m == nil {
		return
	}
	t.holds.waiting, t.holds.ended = nil, nil
	m.add(t)
	m.meter.Room -= stackBytes + threadBytes
	if m.walk != nil {
		m.walk.Thread(t.main.L)
	}
}

// registersGrew counts the registers that a routine has got since the last call. The old ones are
// garbage.
func (m *memory) registersGrew(r *routine) {
	if n := m.meter.Registers(r.L); n > r.registers {
		m.bound += 16 * int64(n)
		r.registers = n
	}
}

func (m *memory) add(t *Thread) {
	h := &t.holds
	if h.linked {
		return
	}
	h.linked, h.before = true, m.threads.last
	if h.before == nil {
		m.threads.first = t
	} else {
		h.before.holds.next = t
	}
	m.threads.last = t
	if m.walk != nil && m.next == nil {
		m.next = t
	}
}

// remove removes a thread whose values are no roots any more.
func (m *memory) remove(t *Thread) {
	h := &t.holds
	if m == nil || !h.linked {
		return
	}
	if m.next == t {
		m.next = h.next
	}
	if h.before == nil {
		m.threads.first = h.next
	} else {
		h.before.holds.next = h.next
	}
	if h.next == nil {
		m.threads.last = h.before
	} else {
		h.next.holds.before = h.before
	}
	*h = threadValues{}
}

// roots adds the values of a thread to a measurement.
func (t *Thread) roots(w *live.Walk) {
	if t.holds.ended != nil && t.holds.ended() {
		t.state.memory.remove(t)
		return
	}
	w.Add(threadBytes)
	for _, v := range t.holds.waiting {
		w.Value(v)
	}
	t.main.measure(w)
}
