package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/quota"
)

// memory bounds what a program holds: what it has allocated since the last measurement, and what it held
// then. When the bound reaches the quota, a measurement finds out what it holds in fact.
type memory struct {
	room     int64 // how much may be allocated before the next measurement
	whole    int64 // what room was after the last one
	live     int64 // what the last one has found
	counted  int64 // what the account has
	limited  bool
	measured bool // nothing was allocated since the last one
	measure  *measurement
	texts    []extent // of long strings, if limited
	noted    uint64
}

// limitMemory prepares the bound.
func (m *Machine) limitMemory(limit int64) {
	m.mem.limited = limit != 0
	m.mem.room = min(unlimited, m.account.Left(quota.Memory))
	m.mem.whole = m.mem.room
}

// alloc counts memory that is allocated now.
func (m *Machine) alloc(bytes int) {
	m.mem.measured = false
	if m.mem.room -= int64(bytes); m.mem.room < 0 {
		m.needMeasurement()
	}
	if m.ops.running != nil {
		m.ops.running.holds += int64(bytes)
	}
}

// allocPacked counts the memory, and the work, of a value in the form in which channels and interfaces
// hold it.
func (m *Machine) allocPacked(t *code.Type) {
	if !t.Direct() {
		m.chargeValue(t.N, t.R)
		m.alloc(value.Bytes(t.N, t.R))
	}
}

// fits counts memory that is allocated next, if there is room for it.
func (m *Machine) fits(bytes int) bool {
	if int64(bytes) > m.mem.room {
		return false
	}
	m.alloc(bytes)
	return true
}

// lack is the end of a slice because there is no room for so much memory. After a measurement the
// instruction begins anew; if there is not enough room then, the program ends.
func (m *Machine) lack(st *State, bytes int) step {
	m.out = fiber.TimesliceExpired
	st.top().pc--
	if m.mem.measured {
		m.countMemory()
		m.take(quota.Memory, max(int64(bytes), m.account.Left(quota.Memory)+1))
		return leaveSlice
	}
	m.needMeasurement()
	return leaveSlice
}

// countMemory brings the account up to date.
func (m *Machine) countMemory() {
	bound := m.mem.live + m.mem.whole - m.mem.room
	m.account.Add(quota.Memory, bound-m.mem.counted)
	m.mem.counted = bound
}

// needMeasurement ends the slice, and begins a measurement.
func (m *Machine) needMeasurement() {
	if m.mem.measure != nil || m.over != nil {
		return
	}
	m.halted = true
	m.mem.measure = m.newMeasurement()
	m.endSlice()
}

// slack is the part of the quota by which a program may be beyond it between two measurements, so that one
// that holds nearly as much as it may is not measured all the time.
const slack = 16

// endMeasurement sets the bound to what was found, which ends the program if it is too much.
func (m *Machine) endMeasurement(live int64) {
	m.mem.measure = nil
	m.halted = m.over != nil
	m.account.Add(quota.Memory, -m.mem.counted)
	m.mem.live, m.mem.counted, m.mem.measured = live, live, true
	left := m.account.Left(quota.Memory)
	if !m.take(quota.Memory, live) {
		m.mem.counted = 0
		return
	}
	m.mem.room = left - live + left/slack
	m.mem.whole = m.mem.room
}
