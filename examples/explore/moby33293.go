//go:build ignore

// After moby#33293: the goroutine that attaches to a container sends its error, and the caller has
// returned already because the container is gone.
// Finding: leak
package kernel

import (
	"errors"
	"testing"
)

func attach(gone bool) error {
	result := make(chan error)
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
