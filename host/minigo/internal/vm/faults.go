package vm

import (
	"fmt"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// faultKind is a kind of failure of an instruction.
type faultKind uint8

const (
	_ faultKind = iota
	divideByZero
	nilPointer
	outOfRange
	negativeShift
	sliceString
	sliceOrder
	sliceCapacity
	sliceLength
	slice3Length
	slice3Capacity
	slice3Order
	slice3Low
)

// words are the message of a fault with an index out of range, and the message if the index is
// negative.
type words struct{ outside, negative string }

func wordsOf() map[faultKind]words {
	return map[faultKind]words{
		outOfRange:     {"index out of range [%d] with length %d", "index out of range [%d]"},
		sliceString:    {"slice bounds out of range [:%d] with length %d", "slice bounds out of range [:%d]"},
		sliceLength:    {"slice bounds out of range [:%d] with length %d", "slice bounds out of range [:%d]"},
		sliceCapacity:  {"slice bounds out of range [:%d] with capacity %d", "slice bounds out of range [:%d]"},
		sliceOrder:     {"slice bounds out of range [%d:%d]", "slice bounds out of range [%d:]"},
		slice3Length:   {"slice bounds out of range [::%d] with length %d", "slice bounds out of range [::%d]"},
		slice3Capacity: {"slice bounds out of range [::%d] with capacity %d", "slice bounds out of range [::%d]"},
		slice3Order:    {"slice bounds out of range [:%d:%d]", "slice bounds out of range [:%d:]"},
		slice3Low:      {"slice bounds out of range [%d:%d:]", "slice bounds out of range [%d::]"},
	}
}

// failed panics for the failure of the instruction before the PC of the top frame.
func (m *Machine) failed(st *State) step {
	fr := st.top()
	in := &fr.fn.Code[fr.pc-1]
	n, r := st.window()
	var index, length uint64
	switch in.Op {
	case code.Div, code.Rem:
		return m.throw(st, m.faultOf(divideByZero, 0, 0))
	case code.IdxN, code.IdxR, code.SetN, code.SetR:
		index, length = n[in.D], n[in.B+1]
	case code.IdxOff:
		index, length = n[in.C], n[in.B+1]
	case code.ArrOff:
		index, length = n[in.B], uint64(in.D)
	case code.IdxStr:
		index, length = n[in.C], uint64(len(value.Str(r[in.B])))
	default: // a load or a store
		return m.throw(st, m.faultOf(nilPointer, 0, 0))
	}
	return m.throw(st, m.faultOf(outOfRange, index, length))
}

// faultOf is the panic of an instruction, in the words of Go's runtime.
func (m *Machine) faultOf(kind faultKind, x, y uint64) *thrown {
	switch kind {
	case divideByZero:
		return m.runtimeError("integer divide by zero")
	case nilPointer:
		return m.runtimeError("invalid memory address or nil pointer dereference")
	case negativeShift:
		return m.runtimeError("negative shift amount")
	}
	if int64(x) < 0 {
		return m.runtimeError(fmt.Sprintf(wordsOf()[kind].negative, int64(x)))
	}
	return m.runtimeError(fmt.Sprintf(wordsOf()[kind].outside, x, y))
}

// runtimeError is a runtime.Error whose text begins with "runtime error: ".
func (m *Machine) runtimeError(text string) *thrown {
	return m.textAs(0, text)
}

// conversionError is the panic of a failed assertion.
func (m *Machine) conversionError(miss *value.Missing) *thrown {
	return m.textAs(1, miss.Error())
}

// plainError is a runtime.Error with exactly this text.
func (m *Machine) plainError(text string) *thrown {
	return m.textAs(1, text)
}

func (m *Machine) textAs(kind int, text string) *thrown {
	t := m.prog.RuntimeErrors[kind]
	return &thrown{value.Interface{T: t, Packed: value.Packed{R: text}}}
}

// nilPanic is the value of panic(nil).
func (m *Machine) nilPanic() value.Interface {
	return m.textAs(1, "panic called with nil argument").v
}
