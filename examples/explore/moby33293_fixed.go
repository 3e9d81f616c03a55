//go:build ignore

// The repaired moby33293: the channel has room for the error.
package kernel

import (
	"errors"
	"testing"
)

func attach(gone bool) error {
	result := make(chan error, 1)
	go func() { result <- errors.New("the stream is closed") }()
	if gone {
		return errors.New("no such container")
	}
	return <-result
}

// TestAttachToAContainerThatIsGone attaches to a container that is gone.
func TestAttachToAContainerThatIsGone(t *testing.T) {
	if attach(true) == nil {
		t.Fatal("no error")
	}
}
