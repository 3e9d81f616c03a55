package move

import (
	"errors"
	"fmt"
)

// ErrBounds reports a Config that the arrays of State have no room for.
var ErrBounds = errors.New("spec/move: bounds out of range")

const (
	// Schedulers is how many there are.
	Schedulers = 2
	// MaxFibers is the highest Config.Fibers, MaxSlots the highest Config.Slots.
	MaxFibers, MaxSlots = 3, 2
)

// Config bounds the model.
type Config struct {
	// Fibers is how many there are, Slots how many each scheduler has room for.
	Fibers, Slots int
	// Bug is a deliberate mistake, for the tests of the checks; NoBug is the machine.
	Bug Bug
}

// Valid is nil if the bounds fit, and otherwise an error wrapping ErrBounds.
func (c Config) Valid() error {
	if 1 <= c.Fibers && c.Fibers <= MaxFibers && 1 <= c.Slots && c.Slots <= MaxSlots && c.Bug <= lastBug {
		return nil
	}
	return fmt.Errorf("%w: %+v; want 1 to %d fibers and 1 to %d slots", ErrBounds, c, MaxFibers, MaxSlots)
}

// Init is the first state: there is no fiber.
func (c Config) Init() State {
	var s State
	for f := range s.Fibers {
		s.Fibers[f] = notSpawned
	}
	for x := range s.Slots {
		s.Slots[x].Who = None
	}
	for g := range s.Schedulers {
		s.Schedulers[g].Current = None
	}
	return s
}
