package panics

import (
	"errors"
	"fmt"
)

// ErrBounds reports a Config that the arrays of State have no room for.
var ErrBounds = errors.New("spec/panics: bounds out of range")

// Size limits of the model.
const (
	// MaxMachines is the highest Config.Machines.
	MaxMachines = 2
	// MaxFrames is the highest Config.Frames.
	MaxFrames = 6
	// MaxCalls is the highest Config.Calls.
	MaxCalls = 6
	// MaxPanics is the highest Config.Panics.
	MaxPanics = 8
)

// Config bounds the model.
type Config struct {
	// Machines is 1 for that of a fiber alone, 2 for one with a trampoline above it.
	Machines int
	// Frames is how many frames can defer; what the last of them defers runs in one more.
	Frames int
	// Calls is how many deferred calls of a machine can be pending or running.
	Calls int
	// Panics is how many a machine can have had.
	Panics int
	// Bug is a deliberate mistake, for the tests of the checks; NoBug is the machine.
	Bug Bug
}

// Valid is nil if the bounds fit, and otherwise an error wrapping ErrBounds.
func (c Config) Valid() error {
	fits := func(n, most int) bool { return 1 <= n && n <= most }
	if fits(c.Machines, MaxMachines) && fits(c.Frames, MaxFrames) && fits(c.Calls, MaxCalls) &&
		fits(c.Panics, MaxPanics) && c.Bug <= lastBug {
		return nil
	}
	return fmt.Errorf("%w: %+v; want 1 to %d machines, %d frames, %d calls, %d panics",
		ErrBounds, c, MaxMachines, MaxFrames, MaxCalls, MaxPanics)
}

// Init is the first state: calm, and nothing deferred.
func (c Config) Init() State { return State{} }
