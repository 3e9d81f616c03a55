package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/live"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
	"github.com/selvage-dev/selvage/quota"
)

// memory is the memory quota of a State. What the program allocates adds to an upper bound of its live
// memory. When the bound reaches the quota, the values that the program can reach are measured, and the
// bound is what they take. All methods may be called on nil, which has no limit.
//
// The fiber that needs room measures, and is charged for it. If its time slice ends, the next fiber
// of the State continues before it executes an instruction, so what was measured does not change. What
// a Go function of a fiber held meanwhile is in its registers then, which are visited again.
//
// Invariants between two uses: taken is at most bound, and room is what Meter.Room was when bound
// was calculated.
type memory struct {
	state *State
	of    Memory
	meter *vm.Meter
	bound int64 // what the program has at most, when State.Settle was last called
	taken int64 // of bound: what was taken from the quota
	slack int64 // what may be allocated beyond the quota until the next measurement
	room  int64
	live  int64 // what the last measurement has found
	began int64 // what the bound was when the walk began
	step  int64 // what an instruction may allocate and does not count

	walk    *live.Walk // the measurement that is not complete; nil if there is none
	threads threadList // those whose values are roots
	next    *Thread    // the next root of the walk
	refused bool       // the quota was passed: every fiber unwinds
}

const (
	// emptyState is the memory of a State with its libraries, at most.
	emptyState = 192 << 10
	// stepBytes is what an instruction may allocate for numbers, and a Go function for its result.
	stepBytes = 16
	// portableStepBytes is stepBytes where instructions do not count what they allocate.
	portableStepBytes = 128
	// leastRoom is the part of the quota that can be allocated after a measurement, even if the live
	// memory is all of it. It bounds the share of time that measurements take.
	leastRoom = 16
	// visitsPerStep is how many values cost as much as an instruction.
	visitsPerStep = 4
)

func (s *State) newMemory(c Config) *memory {
	if c.Memory == nil {
		return nil
	}
	m := &memory{state: s, of: c.Memory, meter: s.meter, bound: emptyState, step: stepBytes}
	if !s.meter.Direct() {
		m.step = portableStepBytes
	}
	s.meter.Limit(m.makeRoom)
	m.account()
	m.room = m.meter.Room
	return m
}

// openMemory makes string.sub copy what it returns: a part would keep the whole string.
func (s *State) openMemory() {
	if s.memory == nil {
		return
	}
	sub := s.library(glua.StringLibName, "sub")
	native := sub.GFunction
	sub.GFunction = func(L *glua.LState) int {
		text, n := L.CheckString(1), native(L)
		if part, ok := L.Get(-1).(glua.LString); ok && len(part) < len(text) {
			L.Pop(1)
			L.Push(glua.LString(s.meter.Cut(string(part))))
		}
		return n
	}
}

// settle adds what the current thread has allocated in so many steps to the bound.
func (m *memory) settle(steps int64) {
	if m == nil {
		return
	}
	m.bound += m.room - m.meter.Room + m.step*steps
	m.registersGrew(m.state.current)
	m.account()
}

// account takes the bound from the quota, as far as it has so much, and calculates the room.
func (m *memory) account() {
	if n := m.bound - m.taken; n < 0 {
		m.of.Give(quota.Memory, -n)
		m.taken = m.bound
	} else if n = min(n, m.of.Left(quota.Memory)); n > 0 {
		m.of.Add(quota.Memory, n) // not Take: another island may take the last at the same time
		m.taken += n
	}
	m.meter.Room = m.of.Left(quota.Memory) + m.slack - (m.bound - m.taken)
	m.room = m.meter.Room
}

// due returns whether the thread that executes is to measure, or to continue a measurement.
func (m *memory) due() bool {
	return m != nil && (m.walk != nil || m.meter.Room < 0 || m.refused) && m.state.Current() != nil
}

// makeRoom makes room for n bytes more, or ends the program.
func (m *memory) makeRoom(n int64) {
	if m.state.Current() == nil { // the host executes; the next fiber measures
		m.meter.Room -= n
		return
	}
	m.state.grantIfEmpty()
	for fresh := m.walk == nil; ; fresh = true {
		m.measure()
		switch {
		case m.walk != nil: // another fiber has begun the next measurement
		case m.meter.Room >= n:
			m.meter.Room -= n
			return
		case fresh:
			m.refuse(n)
		}
	}
}

// refuse ends the program, which needs n bytes that it may not have.
func (m *memory) refuse(n int64) {
	m.refused = true
	_ = m.of.Take(quota.Memory, m.bound-m.taken+m.of.Left(quota.Memory)+m.slack+n)
	m.state.current.thread.Unwind()
}

// close gives back what was taken.
func (m *memory) close() {
	if m != nil {
		m.of.Give(quota.Memory, m.taken)
		m.bound, m.taken = 0, 0
	}
}

// MeasureMemory measures the live memory now, and returns the bytes. A Go function calls it that a
// program has called; like Charge it may end the time slice. It is 0 without Config.Memory.
func (s *State) MeasureMemory() int64 {
	m := s.memory
	if m == nil || s.Current() == nil {
		return 0
	}
	if m.walk != nil {
		m.measure()
	}
	m.measure()
	return m.live
}
