package execmem

import "unsafe"

// Context is what code works on. The addresses are good for one entry: they are set before
// it, and what they point into is kept alive by whoever enters.
type Context struct {
	// N, R and Frame are the words, the references and the frame of the call on top. Code
	// that calls and returns moves them.
	N, R, Frame uintptr
	// Budget is what is left of the slice; less than nothing when it has run out.
	Budget int64
	// Frames is where the stack of frames begins, and the others where the stacks end.
	Frames, FramesEnd, NumEnd, RefEnd uintptr
	// Bottom is the frame that does not return into code; Enter sets it.
	Bottom uintptr
	// Entries is the table of the addresses of all functions.
	Entries uintptr
	// Exit says why the code was left, or that it was Refused.
	Exit uint64
	// WritesRefs says that the code writes references.
	WritesRefs bool
}

// Refused is the exit of code that was not entered: it writes references, and the collector's
// write barrier is on. Code has other exits.
const Refused = 0

// Where code finds the parts of the Context.
const (
	OffN         = int32(unsafe.Offsetof(Context{}.N))
	OffR         = int32(unsafe.Offsetof(Context{}.R))
	OffFrame     = int32(unsafe.Offsetof(Context{}.Frame))
	OffNumEnd    = int32(unsafe.Offsetof(Context{}.NumEnd))
	OffRefEnd    = int32(unsafe.Offsetof(Context{}.RefEnd))
	OffFramesEnd = int32(unsafe.Offsetof(Context{}.FramesEnd))
	OffBottom    = int32(unsafe.Offsetof(Context{}.Bottom))
	OffEntries   = int32(unsafe.Offsetof(Context{}.Entries))
)

// Enter runs the code at an address, which must lie in Pages that are mapped; unless the code
// writes references while that is not allowed.
func (c *Context) Enter(at uintptr) { enter(c, at) }
