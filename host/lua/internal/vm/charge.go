package vm

import (
	"slices"

	glua "github.com/yuin/gopher-lua"
)

// Native code that a program calls pays for its work in the same unit as instructions. A step is one
// instruction, one step of a pattern match, one element of a table that is visited, or BytesPerStep
// bytes that are read or written.

// BytesPerStep is how many bytes cost as much as one instruction.
const BytesPerStep = 256

// BytesOf is the cost of n bytes in steps, rounded up.
func BytesOf(n int) int64 { return (int64(n) + BytesPerStep - 1) / BytesPerStep }

// longLength is the length of strings whose comparison is paid for.
const longLength = 16 * BytesPerStep

// ExpectLong says that the program may have strings of longLength bytes from now on. What makes one pays for
// it, which says the same; code of the program may have some as constants.
func (m *Meter) ExpectLong() {
	if !m.long && m.direct != nil {
		m.long = true
		m.direct.useLong(m)
	}
}

func (m *Meter) expect(bytes int) {
	if bytes >= longLength {
		m.ExpectLong()
	}
}

// ChargeBytes is Charge for n bytes that native code reads or writes.
func (m *Meter) ChargeBytes(n int) {
	m.expect(n)
	m.Charge(BytesOf(n))
}

// HasLong tells whether the code has such a constant.
func HasLong(code *glua.FunctionProto) bool {
	for _, c := range code.Constants {
		if s, ok := c.(glua.LString); ok && len(s) >= longLength {
			return true
		}
	}
	return slices.ContainsFunc(code.FunctionPrototypes, HasLong)
}

// Step pays for one step of native code. Like an instruction it may end the time slice: it returns when
// the fiber executes again, or not at all. Other fibers may have changed any table meanwhile.
func (m *Meter) Step() {
	if m.Left--; m.Left < 0 {
		m.expire()
	}
}

// Charge pays for n steps that native code is about to do at once. If they are more than a time slice,
// it ends as many time slices as they need.
func (m *Meter) Charge(n int64) {
	if n > m.Left {
		m.pay(n)
		return
	}
	m.Left -= n
}

func (m *Meter) pay(n int64) {
	for n > 0 {
		n -= m.Grant(n)
	}
}

// Grant pays for as many of n steps as the time slice has left, at least for one, and returns how many
// they are. Native code that can divide its work does that many before the next call.
func (m *Meter) Grant(n int64) int64 {
	if m.Left <= 0 {
		m.Left-- // for one, as an instruction does
		m.expire()
		m.Left++
	}
	n = min(n, m.Left)
	m.Left -= n
	return n
}

// GrantBytes is Grant for n bytes that native code reads or writes.
func (m *Meter) GrantBytes(n int) int {
	m.expect(n)
	if n <= BytesPerStep {
		m.Step()
		return n
	}
	return min(n, int(m.Grant(BytesOf(n)))*BytesPerStep)
}

// ChargeKey pays for an access to a table by a key, which is hashed if it is a string, or for arithmetic with
// a string. Short ones are free, because the
// instruction or the element that is visited pays for them.
func (m *Meter) ChargeKey(key glua.LValue) {
	if s, ok := key.(glua.LString); ok && len(s) >= BytesPerStep {
		m.Charge(int64(len(s) / BytesPerStep))
	}
}

// ChargeStrings pays for the bytes of the last n strings that the Go function which executes has, and for
// the values.
func (m *Meter) ChargeStrings(L *glua.LState, n int) {
	if cost := m.costOfStrings(L, n); cost > 0 {
		m.Charge(cost)
	}
}

// ChargeResults is ChargeStrings for what a function returns that has had its effect: it takes at most what
// the time slice has left but for one instruction, so that a cancellation cannot lose the results.
func (m *Meter) ChargeResults(L *glua.LState, n int) {
	m.Left -= min(m.costOfStrings(L, n), max(m.Left-1, 0))
}

func (m *Meter) costOfStrings(L *glua.LState, n int) int64 {
	cost := int64(n / elementsPerStep)
	for i := L.GetTop() - n + 1; i <= L.GetTop(); i++ {
		if s, ok := L.Get(i).(glua.LString); ok {
			m.expect(len(s))
			cost += int64(len(s) / BytesPerStep)
		}
	}
	return cost
}

// ChargeValues pays for n values that are moved.
func (m *Meter) ChargeValues(n int) {
	if n >= elementsPerStep {
		m.Charge(int64(n / elementsPerStep))
	}
}
