package main

import "testing"

// A program that fails panics in either of the two.
func TestEveryLuaProgramRunsOnAFiberAndBare(t *testing.T) {
	for _, r := range luaRows() {
		t.Run(r.work, func(t *testing.T) {
			if ours, theirs := r.ours(8), r.theirs(8); ours <= 0 || theirs <= 0 {
				t.Errorf("took %v and %v", ours, theirs)
			}
		})
	}
}
