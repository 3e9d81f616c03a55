package value

import (
	"strings"
	"unsafe"
)

// unset makes words that are not set to zero yet, which takes long for many of them. They are in the
// buffer of a strings.Builder, the one that Go's library makes without setting it.
func unset(n int) []uint64 {
	var b strings.Builder
	b.Grow(8 * n)
	b.WriteByte(0)
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.StringData(b.String()))), n)
}
