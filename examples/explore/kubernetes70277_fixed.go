//go:build ignore

// The repaired kubernetes70277: the end of the wait closes a channel of the poller's own.
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
	done := make(chan bool)
	defer close(done)
	ticks := poller(time.Millisecond, done)
	for !condition() {
		select {
		case <-ticks:
		case <-stop:
			return
		}
	}
}

// TestTheConditionIsMet waits until a condition has been asked for three times.
func TestTheConditionIsMet(t *testing.T) {
	asked := 0
	waitFor(func() bool { asked++; return asked == 3 }, make(chan bool))
}
