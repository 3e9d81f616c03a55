package vm

import (
	"unsafe"

	"github.com/selvage-dev/selvage/host/minigo/internal/jit"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// The sizes of the data that machine code accesses.
const (
	wordSize  = unsafe.Sizeof(uint64(0))
	refSize   = unsafe.Sizeof(any(nil))
	frameSize = unsafe.Sizeof(frame{})
)

// addressOf is the address of a slice's first element. Objects in Go's heap never move.
func addressOf[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

// typeWord is the first word of references to values of the type of v.
func typeWord(v any) uintptr { return *(*uintptr)(unsafe.Pointer(&v)) }

// target describes the machine's data for compilation.
func (m *Machine) target() jit.Target {
	return jit.Target{
		Funcs: m.prog.Funcs, Strings: m.prog.Strings, Globals: m.globals, Variables: m.prog.Variables,
		Object: typeWord((*value.Object)(nil)), String: typeWord(""), Closure: typeWord((*value.Closure)(nil)),
		Frame: jit.Frame{
			Size: int32(frameSize), Fn: int32(unsafe.Offsetof(frame{}.fn)), NB: int32(unsafe.Offsetof(frame{}.nb)),
			RB: int32(unsafe.Offsetof(frame{}.rb)), PC: int32(unsafe.Offsetof(frame{}.pc)),
			Flags: int32(unsafe.Offsetof(frame{}.deferring)), Ret: int32(unsafe.Offsetof(frame{}.ret)),
		},
	}
}
