package reactor_test

import (
	"context"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
)

func TestWaitEndsAtTheInstantAndNotBefore(t *testing.T) {
	c := reactor.NewWallClock()
	for range 3 {
		until := c.Now().After(2 * time.Millisecond)
		c.Wait(context.Background(), until, nil)
		if now := c.Now(); now < until {
			t.Fatalf("woke at %v, before %v", now, until)
		}
	}
}

func TestTheBellAndTheContextEndAWaitWithoutADeadline(t *testing.T) {
	c := reactor.NewWallClock()
	bell := make(chan struct{}, 1)
	bell <- struct{}{}
	c.Wait(context.Background(), fiber.Never, bell)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c.Wait(ctx, fiber.Never, bell)
}

func TestAPastInstantNeedsNoWaiting(t *testing.T) {
	c := reactor.NewWallClock()
	c.Wait(context.Background(), c.Now()-1, nil)
	c.Wait(context.Background(), 0, nil)
}

func TestABellLeavesNoOldTimerBehind(t *testing.T) {
	c := reactor.NewWallClock()
	bell := make(chan struct{}, 1)
	bell <- struct{}{}
	c.Wait(context.Background(), c.Now().After(time.Hour), bell)
	until := c.Now().After(time.Millisecond)
	c.Wait(context.Background(), until, bell)
	if now := c.Now(); now < until {
		t.Fatalf("woke at %v, before %v", now, until)
	}
}
