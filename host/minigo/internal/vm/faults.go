package vm

import (
	"fmt"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// faultKind is what can go wrong in an instruction.
type faultKind uint8

const (
	noFault faultKind = iota
	divideByZero
	nilPointer
	outOfRange
	negativeShift
	sliceString
	sliceOrder
	sliceCapacity
	sliceLength
	slice3Capacity
	slice3Order
)

// failed panics for what the instruction before where the frame on top is cannot do.
func (m *Machine) failed(st *State) step {
	if m.fault != outOfRange {
		return m.throw(st, m.faultOf(m.fault, 0, 0))
	}
	fr := st.top()
	in := &fr.fn.Code[fr.pc-1]
	n, r := st.window()
	var index, length uint64
	switch in.Op {
	case code.IdxN, code.IdxR, code.SetN, code.SetR:
		index, length = n[in.D], n[in.B+1]
	case code.IdxOff:
		index, length = n[in.C], n[in.B+1]
	case code.ArrOff:
		index, length = n[in.B], uint64(in.D)
	case code.IdxStr:
		index, length = n[in.C], uint64(len(value.Str(r[in.B])))
	}
	return m.throw(st, m.faultOf(outOfRange, index, length))
}

// faultOf is the panic of an instruction, in the words of Go's runtime.
func (m *Machine) faultOf(kind faultKind, x, y uint64) *thrown {
	i, n := int64(x), int64(y)
	var text string
	switch kind {
	case divideByZero:
		text = "integer divide by zero"
	case nilPointer:
		text = "invalid memory address or nil pointer dereference"
	case outOfRange:
		text = fmt.Sprintf("index out of range [%d] with length %d", i, n)
		if i < 0 {
			text = fmt.Sprintf("index out of range [%d]", i)
		}
	case negativeShift:
		text = "negative shift amount"
	case sliceString:
		text = fmt.Sprintf("slice bounds out of range [:%d] with length %d", i, n)
		if i < 0 {
			text = fmt.Sprintf("slice bounds out of range [:%d]", i)
		}
	case sliceLength:
		text = fmt.Sprintf("slice bounds out of range [:%d] with length %d", i, n)
	case sliceCapacity:
		text = fmt.Sprintf("slice bounds out of range [:%d] with capacity %d", i, n)
		if i < 0 {
			text = fmt.Sprintf("slice bounds out of range [:%d]", i)
		}
	case sliceOrder:
		text = fmt.Sprintf("slice bounds out of range [%d:%d]", i, n)
		if i < 0 {
			text = fmt.Sprintf("slice bounds out of range [%d:]", i)
		}
	case slice3Capacity:
		text = fmt.Sprintf("slice bounds out of range [::%d] with capacity %d", i, n)
	case slice3Order:
		text = fmt.Sprintf("slice bounds out of range [:%d:%d]", i, n)
	}
	return m.runtimeError(text)
}

// runtimeError is a runtime.Error whose text begins with "runtime error: ".
func (m *Machine) runtimeError(text string) *thrown {
	return m.textAs(0, text)
}

// conversionError is the panic of a failed assertion.
func (m *Machine) conversionError(miss *value.Missing) *thrown {
	return m.textAs(1, miss.Error())
}

// plainError is a runtime.Error of just this text.
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
