package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// The native sort, with the comparison done beside it, sorts as the standard library does, and
// keeps the order of equals.
func TestTheNativeSortSortsStably(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.IntRange(0, 9)).Draw(t, "keys")
		var l list
		for i, key := range keys {
			l = append(l, key*1000+i%1000)
		}
		byKey := func(a, b value) int { return a.(int)/1000 - b.(int)/1000 }
		want := slices.Clone(l)
		slices.SortStableFunc(want, byKey)
		s := &sorting{list: slices.Clone(l)}
		for s.search() {
			if err := s.compared(byKey(s.list[s.next], s.list[s.middle()])); err != nil {
				t.Fatal(err)
			}
		}
		assert.Equal(t, want, s.list)
	})
}
