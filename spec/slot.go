package spec

import "strconv"

// Size limits of the model. They bound the arrays of State, so that a State can be
// compared with == and used as a key; Config chooses how much of them is used. No graph
// of this size can be searched through: the room is for random walks.
const (
	// MaxFibers is the highest Config.Fibers.
	MaxFibers = 6
	// MaxTrampolines is the highest Config.Trampolines.
	MaxTrampolines = 4
	// MaxTokens is the highest Config.Tokens.
	MaxTokens = 4
	// MaxTickets is the highest Config.Tickets.
	MaxTickets = 2
	// MaxDeadlines is the highest Config.Deadlines.
	MaxDeadlines = 2
	// MaxMasks is the highest Config.Masks.
	MaxMasks = 2
	// MaxPins is the highest Config.Pins.
	MaxPins = 4
	// MaxLives is the highest Config.Lives.
	MaxLives = 9
	// MaxSlots is the number of slots of both pools.
	MaxSlots = MaxFibers + MaxTrampolines
)

// Slot names a place a fiber of either pool can live in. The regular slots come first.
type Slot uint8

// NoSlot is no slot at all: no current fiber, no owner, no waiter.
const NoSlot Slot = 255

// Regular is the i-th slot of the regular pool.
func Regular(i int) Slot { return Slot(i) }

// Trampoline is the i-th slot of the trampoline pool.
func Trampoline(i int) Slot { return Slot(MaxFibers + i) }

// IsTrampoline tells the pool.
func (s Slot) IsTrampoline() bool { return s >= MaxFibers && s != NoSlot }

// Index is the number of the slot within its pool.
func (s Slot) Index() int {
	if s.IsTrampoline() {
		return int(s) - MaxFibers
	}
	return int(s)
}

// String is "f0" for a regular slot, "t0" for a trampoline, "-" for none.
func (s Slot) String() string {
	switch {
	case s == NoSlot:
		return "-"
	case s.IsTrampoline():
		return "t" + strconv.Itoa(s.Index())
	}
	return "f" + strconv.Itoa(s.Index())
}

// Number tells apart the tickets of one slot that are in circulation.
type Number uint8

// NoNumber is the number of no ticket: the context waits for nothing.
const NoNumber Number = 255

// String is the decimal number, or "-" for none.
func (n Number) String() string {
	if n == NoNumber {
		return "-"
	}
	return strconv.Itoa(int(n))
}
