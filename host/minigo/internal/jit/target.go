package jit

import (
	"unsafe"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// Target is what code is made for: where the machine keeps what code refers to. All of it
// must stay where it is as long as the code may run.
type Target struct {
	Funcs []*code.Func
	Frame Frame
	// Object, String and Closure are the first words of references to such values.
	Object, String, Closure uintptr
	// Strings are the program's constants.
	Strings []any
	// Globals are the objects of the package-level variables.
	Globals []*value.Object
}

// Frame is the layout of a frame: its size, and where in it the parts are.
type Frame struct {
	Size, Fn, NB, RB, PC, Flags, Ret int32
}

// The layout of what references point to.
const (
	objectN  = int32(unsafe.Offsetof(value.Object{}.N))
	objectR  = int32(unsafe.Offsetof(value.Object{}.R))
	captures = int32(unsafe.Offsetof(value.Closure{}.Caps))
	length   = int32(unsafe.Sizeof(uintptr(0))) // of a slice or string, behind its address
	wordSize = 8
	refSize  = int32(unsafe.Sizeof(any(nil)))
	data     = int32(unsafe.Sizeof(uintptr(0))) // of a reference, behind its type
)

// Code is a function as machine code. It may stand anywhere.
type Code struct {
	Text []byte
	// Entry is, for each instruction, where it is entered; -1 where it cannot be.
	Entry []int32
	// WritesRefs says that the code writes references into memory, which it must not do while
	// the collector's write barrier is on.
	WritesRefs bool
}

// Exit is why code was left. The frame on top says where.
type Exit uint64

// The exits.
const (
	// Refused: the code was not entered, as it writes references while the collector marks.
	Refused Exit = execmem.Refused + iota
	// Interpret: the instruction at pc is the interpreter's.
	Interpret
	// Cold: the machine executes the instruction before pc.
	Cold
	// Expired: the budget is used up.
	Expired
	// Called: the function on top has no code.
	Called
	// Returned: to a call that was not made by code.
	Returned
	// Exits is how many there are.
	Exits
)
