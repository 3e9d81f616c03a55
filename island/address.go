package island

import "fmt"

// Address identifies one life of an island. A scheduler that joins again, or another one with
// the same number, has another Incarnation, so that what was meant for an earlier life is
// refused (I5). The zero Address belongs to no island.
type Address struct {
	// Island is the scheduler's Config.Number, which is also in the top 16 bits of its tickets.
	Island uint16
	// Incarnation numbers the joins of one registry, starting after Registry.Epoch. It never
	// repeats there: Join is refused when the numbers are used up.
	Incarnation uint32
}

// String is "island 3.1".
func (a Address) String() string { return fmt.Sprintf("island %d.%d", a.Island, a.Incarnation) }
