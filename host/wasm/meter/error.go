package meter

import "fmt"

// Error says what is wrong with a module, and where.
type Error struct {
	// Offset is the position in the binary, in bytes.
	Offset int
	// Section is the part of the module that was being read, "module" outside of any.
	Section string
	What    string
}

// Error names the offset, the section and the mistake.
func (e *Error) Error() string {
	return fmt.Sprintf("offset %#x, %s: %s", e.Offset, e.Section, e.What)
}
