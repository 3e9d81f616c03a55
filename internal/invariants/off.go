//go:build !invariants

package invariants

// On reports whether this is the checked build.
const On = false

// Owner is nothing: only the checked build knows the goroutine of a scheduler.
type Owner struct{}

// Take, Begin, Leave, Foreign, Followed and OnNestedStack are called only in the checked build.
func Take(Owned) bool     { return true }
func Begin(Owned) bool    { return true }
func Leave(Owned)         {}
func Foreign(Owned) bool  { return false }
func Followed(Owned) bool { return false }
func OnNestedStack() bool { return false }

// Thread is nothing.
type Thread struct{}

// Follow, Nested, Enter and Switch do nothing.
func Follow(Owned) Thread             { return Thread{} }
func (Thread) Nested() bool           { return false }
func (Thread) Enter()                 {}
func (Thread) Switch(uintptr) uintptr { return 0 }
