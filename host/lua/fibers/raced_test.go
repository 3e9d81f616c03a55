//go:build race

package fibers

// raced: under the race detector, which is slow and needs memory of its own, the
// numbers of fibers shrink.
const raced = true
