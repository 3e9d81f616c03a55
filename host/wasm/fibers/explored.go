package fibers

import (
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/scheduler"
)

// What an explored run (scheduler.Config.Choose) must know besides the operations of package stackful. The
// fibers of a program share no memory: they have in common the numbers of channels and tasks, which depend
// on the order in which these are made, the random numbers and the files.

// point is a point of an explored run at which other fibers may run first.
func (h *Host) point(c *wasm.Caller) error {
	choices := h.rt.Fibers().Scheduler().Choices()
	if !choices.On() || !choices.Point() {
		return nil
	}
	return c.Fiber.Yield()
}

// touch tells an explored run that the step of the current fiber uses an object, a pointer; nil is all objects.
func (h *Host) touch(object any) {
	if choices := h.rt.Fibers().Scheduler().Choices(); choices.On() {
		choices.Touch(object)
	}
}

// reads is touch for an object that the step does not change.
func (h *Host) reads(object any) {
	if choices := h.rt.Fibers().Scheduler().Choices(); choices.On() {
		choices.Touch(scheduler.Read{Object: object})
	}
}
