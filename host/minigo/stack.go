package minigo

import (
	"path"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
)

// Stack is the calls that a goroutine of this Host is in, the innermost first, each with the line it has reached; a
// goroutine that has not begun has the call that it begins with. A function of Go that it waits for is the first one,
// without a place. With values, the calls have their variables, if the program was compiled with Library.Inspected. It
// is nil if the ID is of no living fiber of this Host.
//
// The goroutine that runs the Host calls it, while no fiber executes or from a Go function that the program calls. It
// changes nothing that a program could notice, and calls none of its methods. It costs some microseconds, and as much
// as a millisecond for a deep stack with values.
func (h *Host) Stack(id fiber.RegularID, values bool) []frame.Frame {
	return h.machine.Stack(id, values)
}

// Function is the innermost function that a goroutine of this Host is in, by the name that Stack has for it, and not one
// of Go of the host; of a goroutine that has not begun, the one that it begins with. The main goroutine counts as
// main.main while it initializes the program outside of functions. It is "" if the ID is of no living fiber of this Host.
// The goroutine that runs the Host calls it, as Stack. It costs some tens of nanoseconds, however deep the stack is.
func (h *Host) Function(id fiber.RegularID) string { return h.machine.Function(id) }

// Source is the text of a source file that a Frame names: of the program, if it was compiled with Library.Inspected,
// or of the library that programs import. It reads no file. The caller must not change the text.
func (h *Host) Source(file string) ([]byte, bool) {
	i := slices.IndexFunc(h.sources, func(f File) bool { return f.Name == file })
	if i >= 0 {
		return h.sources[i].Text, true
	}
	for _, s := range lib.Source(path.Dir(file)) {
		if s.Name == file {
			return s.Text, true
		}
	}
	return nil, false
}
