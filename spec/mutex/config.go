package mutex

import (
	"errors"
	"fmt"
)

// ErrBounds reports a Config that the arrays of State have no room for.
var ErrBounds = errors.New("spec/mutex: bounds out of range")

// MaxFibers is the highest Config.Fibers.
const MaxFibers = 4

// Config bounds the model.
type Config struct {
	// Fibers is how many there are.
	Fibers int
	// HandOn: the lock of a dead owner goes to the next in line. Otherwise it is poisoned.
	HandOn bool
	// Cond: there is a condition of what the lock guards.
	Cond bool
	// Bug is a deliberate mistake, for the tests of the checks; NoBug is the machine.
	Bug Bug
}

// Valid is nil if the bounds fit, and otherwise an error wrapping ErrBounds.
func (c Config) Valid() error {
	if 1 <= c.Fibers && c.Fibers <= MaxFibers && c.Bug <= lastBug {
		return nil
	}
	return fmt.Errorf("%w: %+v; want 1 to %d fibers", ErrBounds, c, MaxFibers)
}

// Init is the first state: every fiber dead, the lock free.
func (c Config) Init() State {
	s := State{Owner: NoFiber, Granted: NoNumber}
	for f := range s.Fibers {
		s.Fibers[f].Number = NoNumber
	}
	return s
}
