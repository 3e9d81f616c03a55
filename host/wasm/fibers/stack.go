package fibers

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
)

// Stack is wasm.Runtime.Stack for a fiber of this Host: the exported function of the program that it runs, and the host
// function that it is in, the innermost first. There are no values. The goroutine that runs the Host calls it, while no
// fiber executes or from a host function; it changes nothing.
func (h *Host) Stack(id fiber.RegularID, _ bool) []frame.Frame { return h.rt.Stack(id) }

// Function is wasm.Runtime.Function for a fiber of this Host: the exported function of the program that it runs. The
// goroutine that runs the Host calls it, as Stack.
func (h *Host) Function(id fiber.RegularID) string { return h.rt.Function(id) }
