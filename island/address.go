package island

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// Address names one life of an island: a scheduler that joins again, or another that takes
// over its number, has another Incarnation, so that what was meant for the first one is
// refused (I5). The zero Address is nobody's.
type Address struct {
	Island      uint16 // the scheduler's Config.Number
	Incarnation uint32
}

// String is "island 3.1".
func (a Address) String() string { return fmt.Sprintf("island %d.%d", a.Island, a.Incarnation) }

// Ticket is a ticket that has left its process: what it says, and which life of which
// island said it (docs/design.md#vocabulary).
type Ticket struct {
	At     Address
	Ticket fiber.Ticket
}

// ID is a fiber of an island, told from those of every other.
type ID struct {
	At    Address
	Fiber fiber.ID
}

// String is "f3.1 on island 3.1".
func (id ID) String() string { return id.Fiber.String() + " on " + id.At.String() }
