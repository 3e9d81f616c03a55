package vm

import (
	"strings"
	"unsafe"
)

// Equal is a == b, which pays for the bytes that it reads if they are many.
func (m *Meter) Equal(a, b string) bool {
	if len(a) != len(b) || len(a) < BytesPerStep {
		return a == b
	}
	if unsafe.StringData(a) == unsafe.StringData(b) {
		return true
	}
	for a != "" {
		n := m.GrantBytes(len(a))
		if a[:n] != b[:n] {
			return false
		}
		a, b = a[n:], b[n:]
	}
	return true
}

// Compare is the order of two strings by their bytes: negative, 0 or positive. It pays for the bytes
// that it reads if they are many.
func (m *Meter) Compare(a, b string) int {
	if min(len(a), len(b)) < BytesPerStep {
		return strings.Compare(a, b)
	}
	for {
		n := min(len(a), len(b))
		if n == 0 {
			return len(a) - len(b)
		}
		n = m.GrantBytes(n)
		if c := strings.Compare(a[:n], b[:n]); c != 0 {
			return c
		}
		a, b = a[n:], b[n:]
	}
}
