//go:build race

package fibers_test

// lengths are the slices that real programs are run in: few, as the race detector is slow
// and there is only one goroutine at a time to look at.
func lengths() []int { return []int{1000} }
