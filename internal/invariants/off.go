//go:build !invariants

package invariants

// On reports whether this is the checked build.
const On = false

// Owner is nothing: only the checked build knows the goroutine of a scheduler.
type Owner struct{}

// Take, Begin, Leave, Foreign, Followed and OnNestedStack are called only in the checked build.
func Take(Owned) bool { return true }

// Begin does nothing.
func Begin(Owned) bool { return true }

// Leave does nothing.
func Leave(Owned) {}

// Foreign does nothing.
func Foreign(Owned) bool { return false }

// Followed does nothing.
func Followed(Owned) bool { return false }

// OnNestedStack does nothing.
func OnNestedStack() bool { return false }

// Thread is nothing.
type Thread struct{}

// Follow, Nested, Enter and Switch do nothing.
func Follow(Owned) Thread { return Thread{} }

// Nested does nothing.
func (Thread) Nested() bool { return false }

// Enter does nothing.
func (Thread) Enter() {}

// Switch does nothing.
func (Thread) Switch(uintptr) uintptr { return 0 }
