package spec

import (
	"errors"
	"fmt"
	"iter"
)

// ErrBounds reports a Config that the arrays of State have no room for.
var ErrBounds = errors.New("spec: bounds out of range")

// Config bounds the model.
type Config struct {
	// Fibers and Trampolines are the numbers of slots, Tokens that of I/O tokens.
	Fibers, Trampolines, Tokens int
	// Tickets is how many tickets of one slot can be in circulation at a time.
	Tickets int
	// Deadlines is how many deadlines can be live at a time.
	Deadlines int
	// Masks is how deep a fiber can mask its cancellation.
	Masks int
	// Grace: a cancelled fiber has a grace period, and is killed when that ends. No fiber is
	// cancelled while another's runs. It needs Deadlines.
	Grace bool
	// Pins is how many native calls can be pinned at a time. With 0 no fiber nests.
	Pins int
	// AllNest: every fiber nests. It needs Pins.
	AllNest bool
	// Lives is how many generations a slot has, after which it is retired; 0 is no end.
	Lives int
	// Moves: fibers move out to another scheduler and in from one. Those that may not have
	// frames, or nest.
	Moves bool
	// Fronts: some fibers are spawned at the front of the ready queue.
	Fronts bool
	// Outside: there are waits that end from outside of the scheduler, and promises from there.
	Outside bool
	// Lends: fibers are lent to workers.
	Lends bool
	// Runs: there are runs, which end and begin, one after the other. It needs Pins.
	Runs bool
	// Holds: fibers that are ready are held, because the host has paused them.
	Holds bool
	// Free: any fiber of the ready queue may be next, as scheduler.Config.Choose decides.
	Free bool
	// Bug is a deliberate mistake, for the tests of the checks; NoBug is the machine.
	Bug Bug
}

// Valid is nil if the bounds fit, and otherwise an error wrapping ErrBounds.
func (c Config) Valid() error {
	fits := func(n, least, most int) bool { return least <= n && n <= most }
	if fits(c.Fibers, 1, MaxFibers) && fits(c.Trampolines, 0, MaxTrampolines) &&
		fits(c.Tokens, 0, MaxTokens) && fits(c.Tickets, 1, MaxTickets) &&
		fits(c.Deadlines, 0, MaxDeadlines) && fits(c.Masks, 0, MaxMasks) &&
		(!c.Grace || c.Deadlines > 0) && fits(c.Pins, 0, MaxPins) && (!c.AllNest && !c.Runs || c.Pins > 0) && fits(c.Lives, 0, MaxLives) && c.Bug <= lastBug {
		return nil
	}
	return fmt.Errorf("%w: %+v; want 1 to %d fibers, at most %d trampolines, at most %d tokens, 1 to %d tickets, at most %d deadlines, at most %d masks, at most %d pins, at most %d lives",
		ErrBounds, c, MaxFibers, MaxTrampolines, MaxTokens, MaxTickets, MaxDeadlines, MaxMasks, MaxPins, MaxLives)
}

// Init is the first state: every slot dead, every token free, nothing queued.
func (c Config) Init() State {
	s := State{Current: NoSlot, Grace: NoSlot}
	for x := range s.Contexts {
		s.Contexts[x].Seq = NoNumber
	}
	for f := range s.Fibers {
		for i := range s.Fibers[f].Chain {
			s.Fibers[f].Chain[i] = NoSlot
		}
	}
	for k := range s.Tokens {
		s.Tokens[k].Owner, s.Tokens[k].Waiter = NoSlot, NoSlot
	}
	for d := range s.Deadlines {
		s.Deadlines[d] = off
	}
	for i := range s.Ready {
		s.Ready[i] = NoSlot
	}
	for i := range s.pins {
		s.pins[i] = NoSlot
	}
	return s
}

// Slots is the slots of both pools that c uses, the regular ones first.
func (c Config) Slots() iter.Seq[Slot] {
	return func(yield func(Slot) bool) {
		for f := range c.Fibers {
			if !yield(Regular(f)) {
				return
			}
		}
		for t := range c.Trampolines {
			if !yield(Trampoline(t)) {
				return
			}
		}
	}
}
