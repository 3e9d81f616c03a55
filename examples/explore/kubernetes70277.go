//go:build ignore

// After kubernetes#70277: a poller sends its ticks until a channel is closed, and the channel that the
// caller gives it never is: the condition is met, and the poller stays.
// Finding: leak
package kernel

import (
	"testing"
	"time"
)

func poller(interval time.Duration, stop <-chan bool) <-chan bool {
	ticks := make(chan bool)
	go func() {
		for {
			time.Sleep(interval)
			select {
			case ticks <- true:
			case <-stop:
				return
			}
		}
	}()
	return ticks
}

func waitFor(condition func() bool, stop <-chan bool) {
	ticks := poller(time.Millisecond, stop)
	for !condition() {
		<-ticks
	}
}

// TestTheConditionIsMet waits until a condition has been asked for three times.
func TestTheConditionIsMet(t *testing.T) {
	asked := 0
	waitFor(func() bool { asked++; return asked == 3 }, make(chan bool))
}
