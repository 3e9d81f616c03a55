package slab_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/internal/slab"
)

// A freed slot is used again; its address did not change.
func ExampleSlab() {
	var s slab.Slab[string]
	i, first := s.Alloc()
	*first = "one"
	s.Free(i)
	j, second := s.Alloc()
	fmt.Println(i, j, first == second, *second == "", s.Len())
	// Output: 1 1 true true 1
}
