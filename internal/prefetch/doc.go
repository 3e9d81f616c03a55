// Package prefetch asks the processor for cache lines that are about to be needed. It has
// no effect that a program could see but the time it takes: the lines of a wrong address,
// or of one that was given back, are asked for in vain.
//
// The table it owns is none. What it never does: read or write what it is pointed to.
package prefetch

import "unsafe"

// Batch is how many lines are asked for at once, about as many as a core can wait for.
const Batch = 16

// Lines is the addresses of what will be needed, in any order. A nil one is skipped by the
// processor itself.
type Lines [Batch]unsafe.Pointer
