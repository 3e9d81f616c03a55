//go:build invariants && !amd64 && !arm64

package invariants

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine identifies the calling goroutine: its number, from the first line of its trace, which is
// "goroutine 7 [running]:". It takes microseconds.
func goroutine() uintptr {
	var line [64]byte
	text := bytes.Fields(line[:runtime.Stack(line[:], false)])[1]
	n, _ := strconv.ParseUint(string(text), 10, 64)
	return uintptr(n)
}
