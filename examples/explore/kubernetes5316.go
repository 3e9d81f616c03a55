//go:build ignore

// After kubernetes#5316: a request times out, and the goroutine that carries it out sends its result to
// a channel that nothing receives from any more.
// Finding: leak
package kernel

import (
	"errors"
	"testing"
	"time"
)

func finish(timeout time.Duration, work func() (int, error)) (int, error) {
	results, errs := make(chan int), make(chan error)
	go func() {
		if v, err := work(); err != nil {
			errs <- err
		} else {
			results <- v
		}
	}()
	select {
	case v := <-results:
		return v, nil
	case err := <-errs:
		return 0, err
	case <-time.After(timeout):
		return 0, errors.New("timeout")
	}
}

// TestARequestThatIsAsSlowAsItsTimeout carries out a request that takes as long as it may.
func TestARequestThatIsAsSlowAsItsTimeout(t *testing.T) {
	finish(time.Millisecond, func() (int, error) {
		time.Sleep(time.Millisecond)
		return 1, nil
	})
}
