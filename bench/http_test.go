package main

import (
	"os"
	"testing"
)

// The clients of the HTTP rows are this program again.
func TestMain(m *testing.M) {
	if actAsClients() || actAlone() {
		return
	}
	os.Exit(m.Run())
}

// A client that gets another answer than it should fails, and the row with it.
func TestEveryServerAnswersItsClients(t *testing.T) {
	for _, r := range httpRows() {
		t.Run(r.work, func(t *testing.T) {
			if ours, theirs := r.ours(2000), r.theirs(2000); ours <= 0 || theirs <= 0 {
				t.Errorf("took %v and %v of processor time", ours, theirs)
			}
		})
	}
}
