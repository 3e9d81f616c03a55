//go:build invariants

package invariants

// On reports whether this is the checked build.
const On = true
