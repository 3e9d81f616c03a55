package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/live"
	"github.com/selvage-dev/selvage/quota"
)

// measure completes a measurement, which this thread or another one has begun, and calculates the
// room. The thread may be suspended meanwhile.
func (m *memory) measure() {
	m.unwindIfRefused()
	if m.walk == nil {
		m.begin()
	} else {
		m.walk.Again(m.state.current.L)
	}
	for walk := m.walk; m.walk == walk; {
		m.advance()
	}
	m.unwindIfRefused()
}

func (m *memory) unwindIfRefused() {
	if m.refused {
		m.state.current.thread.Unwind()
	}
}

// begin starts a measurement with what all threads share.
func (m *memory) begin() {
	m.state.Settle()
	m.began = m.bound
	m.walk, m.next = live.New(), m.threads.first
	m.walk.Coroutine = m.state.measureCoroutine
	s := m.state
	m.walk.Value(s.base.G.Registry)
	m.walk.Value(s.base.G.Global)
	m.walk.Thread(s.base)
	m.walk.Thread(s.anchor)
	for _, v := range []glua.LValue{glua.LNil, glua.LTrue, glua.LNumber(0), glua.LString(""), s.base.NewFunction(nil), s.base} {
		m.walk.Value(s.base.GetMetatable(v))
	}
}

// advance does the part of the measurement that the time slice has room for, and pays for it.
func (m *memory) advance() {
	walk, s := m.walk, m.state
	steps := max(s.meter.Left, 1)
	done, all := walk.Run(steps * visitsPerStep)
	switch {
	case walk.Bytes() > m.taken+m.of.Left(quota.Memory):
		m.end()
		m.refuse(0)
	case all && m.next != nil:
		thread := m.next
		m.next = thread.holds.next
		thread.roots(walk)
	case all:
		m.end()
	}
	if !s.config.MeasureAtOnce {
		cost := done/visitsPerStep + 1
		m.bound -= m.step * cost // which settle will add
		m.pay(cost)
	}
}

// pay pays for steps of the measurement. At the end of the time slice other fibers may complete it.
func (m *memory) pay(n int64) {
	for ; n > m.meter.Left; m.state.grantIfEmpty() {
		n -= m.meter.Left
		m.meter.Left = 0
		m.state.poll()
	}
	m.meter.Left -= n
}

// end replaces the bound of the time when the measurement began. What was allocated since adds to it.
func (m *memory) end() {
	m.state.Settle()
	limit := m.taken + m.of.Left(quota.Memory)
	m.live = m.walk.Bytes()
	m.bound += rounded(m.live, limit) - m.began
	m.walk, m.next = nil, nil
	m.slack = max(0, limit/leastRoom-max(0, limit-m.bound))
	m.account()
}

// rounded is a size rounded up to a small part of the limit. Where short strings are depends on what
// else Go has allocated; with this the next measurement comes after the same instruction in nearly
// every run.
func rounded(size, limit int64) int64 {
	const parts = 256
	part := max(limit/parts, 1)
	return (size + part - 1) / part * part
}

// measureCoroutine adds what a thread value of a program stands for.
func (s *State) measureCoroutine(w *live.Walk, handle *glua.LState) bool {
	r := routineOf(handle)
	if r == nil {
		return false
	}
	w.Add(routineBytes)
	if r.fn != nil {
		w.Value(r.fn)
	}
	if r.fault != nil {
		w.Value(r.fault)
	}
	w.Value(handle.Env)
	r.measure(w)
	return true
}

// measure adds the registers of a routine that has begun.
func (r *routine) measure(w *live.Walk) {
	if r.L != nil {
		w.Thread(r.L)
		w.Add(r.stackSize() + r.building)
	}
}

// keep makes values that a thread returns part of a measurement, because their threads are no more.
func (m *memory) keep(values ...glua.LValue) {
	if m != nil && m.walk != nil {
		for _, v := range values {
			m.walk.Value(v)
		}
	}
}

func (m *memory) keepError(err error) {
	if e, ok := err.(*glua.ApiError); ok {
		m.keep(e.Object)
	}
}
