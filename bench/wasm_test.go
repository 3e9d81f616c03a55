package main

import "testing"

// A kernel that fails panics in either of the two.
func TestEveryWasmKernelRunsOnAFiberAndBare(t *testing.T) {
	for _, r := range wasmRows() {
		t.Run(r.work, func(t *testing.T) {
			if ours, theirs := r.ours(8), r.theirs(8); ours <= 0 || theirs <= 0 {
				t.Errorf("took %v and %v", ours, theirs)
			}
		})
	}
}
