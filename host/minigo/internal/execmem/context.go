package execmem

import "unsafe"

// Context is the input and output of code. The addresses are valid for one entry: they are set
// before it, and the caller keeps what they point into alive.
type Context struct {
	// N, R and Frame are the words, the references and the frame of the top call. Calls and
	// returns in code change them.
	N, R, Frame uintptr
	// Budget is what is left of the slice; negative when it has run out.
	Budget int64
	// Frames is where the frame stack begins; the others are where the stacks end.
	Frames, FramesEnd, NumEnd, RefEnd uintptr
	// Bottom is the frame that does not return into code; Enter sets it.
	Bottom uintptr
	// Entries is the table of the entry addresses of all functions.
	Entries uintptr
	// Exit is the reason of the exit, or Refused.
	Exit uint64
	// WritesRefs says that the code writes references.
	WritesRefs bool
}

// Refused is the exit of code that was not entered: it writes references, and the collector's
// write barrier is on. Code returns other exits.
const Refused = 0

// The offsets of the Context's fields.
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

// Enter runs the code at an address, which must lie in mapped Pages. It refuses code that writes
// references while the write barrier is on.
func (c *Context) Enter(at uintptr) { enter(c, at) }
