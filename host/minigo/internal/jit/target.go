package jit

import (
	"unsafe"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// Target describes the machine that code is compiled for: the addresses of what code refers to.
// All of it must stay at its address as long as the code may run.
type Target struct {
	Funcs []*code.Func
	Frame Frame
	// Object, String and Closure are the first words of references to such values.
	Object, String, Closure uintptr
	// Strings are the program's constants.
	Strings []any
	// Globals are the objects of the package-level variables.
	Globals []*value.Object
	// Variables are those of each function that are looked at while it is suspended; nil if there are none.
	Variables [][]code.Variable
}

func (t *Target) variables(fn *code.Func) []code.Variable {
	if fn.Index < len(t.Variables) {
		return t.Variables[fn.Index]
	}
	return nil
}

// Frame is the layout of a frame: its size and the offsets of its fields.
type Frame struct {
	Size, Fn, NB, RB, PC, Flags, Ret int32
}

// The layout of what references point to.
const (
	objectN  = int32(unsafe.Offsetof(value.Object{}.N))
	objectR  = int32(unsafe.Offsetof(value.Object{}.R))
	captures = int32(unsafe.Offsetof(value.Closure{}.Caps))
	length   = int32(unsafe.Sizeof(uintptr(0))) // of a slice or string, after its address
	wordSize = 8
	refSize  = int32(unsafe.Sizeof(any(nil)))
	data     = int32(unsafe.Sizeof(uintptr(0))) // of a reference, after its type
)

// Code is the machine code of a function. It is position-independent.
type Code struct {
	Text []byte
	// Entry is the entry point of each instruction; -1 if the instruction has none.
	Entry []int32
	// WritesRefs says that the code writes references into memory. It must not run while the
	// collector's write barrier is on.
	WritesRefs bool
}

// Exit is the reason for a side exit. The top frame holds the place.
type Exit uint64

// The exits.
const (
	// Refused: the code was not entered, because it writes references and the collector is
	// marking.
	Refused Exit = execmem.Refused + iota
	// Interpret: the interpreter must execute the instruction at pc.
	Interpret
	// Cold: the machine must execute the instruction before pc.
	Cold
	// Expired: the budget is used up.
	Expired
	// Called: the top function has no machine code.
	Called
	// Returned: the caller's frame has no native return address.
	Returned
	// Exits is the number of exits.
	Exits
)
