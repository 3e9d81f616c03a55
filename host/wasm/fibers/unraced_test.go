//go:build !race

package fibers_test

import "math"

func lengths() []int { return []int{1, 7, 1000, math.MaxInt} }
