package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// ChoiceKind says what a Choice decides.
type ChoiceKind uint8

const (
	// ChooseFiber is which ready fiber is mounted next. The default is the head of the ready queue.
	ChooseFiber ChoiceKind = iota
	// ChoosePoint is whether the current fiber, the default, goes on after a synchronization
	// point, or which ready fiber preempts it there (Choices.Point).
	ChoosePoint
	// ChooseNumber is a number: which of several ready cases a select carries out, which of several
	// timers that are due at the same instant fires first, or whether (1) the others fire only at the
	// next poll. The default is 0.
	ChooseNumber
)

// String is the name of the kind in reports.
func (k ChoiceKind) String() string { return [...]string{"fiber", "point", "number"}[k] }

// Choice is a decision of the scheduler that Config.Choose makes instead.
type Choice struct {
	Kind ChoiceKind
	// Options is from how many the answer is: 0 to Options-1. It is at least 2; 0 is the default.
	Options int
	// Fibers are the fibers to choose from, in the order of the ready queue, at a point after the
	// current one; nil for ChooseNumber. It is valid during the call.
	Fibers []fiber.ID
}

// chosen is the state of a scheduler with Config.Choose; without one there is none.
type chosen struct {
	options []fiber.ID    // of the choice that is made, for reuse
	at      []uint32      // where they are in the ring
	known   bool          // the host declares what its fibers use (Declare)
	next    fiber.ID      // the fiber that Point has chosen to be mounted next, or 0
	due     []wheel.Entry // of timers with one deadline, for reuse
}
