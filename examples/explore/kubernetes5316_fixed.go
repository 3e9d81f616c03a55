//go:build ignore

// The repaired kubernetes5316: the channels have room for the result.
package kernel

import (
	"errors"
	"testing"
	"time"
)

func finish(timeout time.Duration, work func() (int, error)) (int, error) {
	results, errs := make(chan int, 1), make(chan error, 1)
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
