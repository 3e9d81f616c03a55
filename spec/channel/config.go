package channel

import (
	"errors"
	"fmt"
)

// ErrBounds reports a Config that the arrays of State have no room for.
var ErrBounds = errors.New("spec/channel: bounds out of range")

// Size limits of the model: they bound the arrays of State.
const (
	// MaxFibers is the highest Config.Fibers.
	MaxFibers = 3
	// MaxChannels is the highest Config.Channels.
	MaxChannels = 2
	// MaxCapacity is the highest of Config.Capacity.
	MaxCapacity = 2

	maxRegistrations = 2*MaxFibers + 2 // two cases a fiber, and some for mistakes
	maxValues        = 2*maxRegistrations + MaxChannels*(MaxCapacity+1+MaxFibers)
)

// Config bounds the model.
type Config struct {
	// Fibers and Channels are how many there are.
	Fibers, Channels int
	// Capacity is how many values each channel buffers.
	Capacity [MaxChannels]int
	// Selects: a wait may have two cases. Otherwise it has one.
	Selects bool
	// Bug is a deliberate mistake, for the tests of the checks; NoBug is the machine.
	Bug Bug
}

// Valid is nil if the bounds fit, and otherwise an error wrapping ErrBounds.
func (c Config) Valid() error {
	fits := func(n, least, most int) bool { return least <= n && n <= most }
	ok := fits(c.Fibers, 1, MaxFibers) && fits(c.Channels, 1, MaxChannels) && c.Bug <= lastBug
	for _, n := range c.Capacity {
		ok = ok && fits(n, 0, MaxCapacity)
	}
	if ok {
		return nil
	}
	return fmt.Errorf("%w: %+v; want 1 to %d fibers, 1 to %d channels, capacities up to %d",
		ErrBounds, c, MaxFibers, MaxChannels, MaxCapacity)
}

// Init is the first state: every fiber dead, every channel open and empty.
func (c Config) Init() State {
	var s State
	for f := range s.Fibers {
		s.Fibers[f] = noFiber
	}
	for i := range s.Channels {
		for f := range s.Channels[i].Given {
			s.Channels[i].Given[f] = NoValue
		}
	}
	return s
}
