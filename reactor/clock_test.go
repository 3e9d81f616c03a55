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

// However long it stays awake for wakes, it hears each of them, and only those.
func TestEveryBellIsHeardAwakeOrAsleep(t *testing.T) {
	c := reactor.NewWallClock()
	bell, heard := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(bell)
		for n := range 2000 {
			bell <- struct{}{}
			<-heard
			if n%100 == 0 { // now and then it is to fall asleep
				c := reactor.NewWallClock()
				c.Wait(context.Background(), c.Now().After(100*time.Microsecond), nil)
			}
		}
	}()
	for range 2000 {
		c.Wait(context.Background(), fiber.Never, bell)
		if len(bell) > 0 {
			t.Fatal("it did not take the bell it heard")
		}
		heard <- struct{}{}
	}
}

func TestADeadlineIsKeptInTheHopeOfAWake(t *testing.T) {
	c := reactor.NewWallClock()
	bell := make(chan struct{}, 1)
	for range 100 {
		bell <- struct{}{}
		c.Wait(context.Background(), fiber.Never, bell)
		until := c.Now().After(30 * time.Microsecond)
		c.Wait(context.Background(), until, bell)
		if now := c.Now(); now < until {
			t.Fatalf("woke at %v, before %v", now, until)
		}
	}
}
