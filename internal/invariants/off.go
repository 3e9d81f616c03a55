//go:build !invariants

package invariants

// On tells whether this is the checked build.
const On = false
