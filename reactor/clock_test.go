package reactor_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
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

// slumber has the clock sleep so shortly that it hopes for the next wake.
func slumber(c *reactor.WallClock) {
	bell := make(chan struct{}, 1)
	bell <- struct{}{}
	c.Wait(context.Background(), fiber.Never, bell)
}

func TestItStaysAwakeForWhatMayComeAtOnceAndNotForEver(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		runtime.GOMAXPROCS(2)
		defer runtime.GOMAXPROCS(1)
	}
	c := reactor.NewWallClock()
	nothing := func() bool { return false }
	if c.Spin(fiber.Never, func() bool { return true }) {
		t.Fatal("it stays awake although nothing has ever come soon")
	}
	slumber(c)
	for n := range 3 {
		looks := 0
		if !c.Spin(fiber.Never, func() bool { looks++; return looks > 10 }) {
			t.Fatalf("%d: it did not see what came at the eleventh look", n)
		}
	}
	tries := 0
	for looked := true; looked; tries++ {
		looked = false
		if c.Spin(fiber.Never, func() bool { looked = true; return false }) {
			t.Fatal("nothing has come")
		}
	}
	if tries != 9 {
		t.Fatalf("it gives up after %d watches in vain, want 8", tries-1)
	}
	slumber(c)
	if began := c.Now(); c.Spin(began.After(10*time.Microsecond), nothing) || c.Now() > began.After(time.Second) {
		t.Fatal("it stays awake for longer than until the instant")
	}
}

// The other processor is busy, so that who is to wake it can only run where it watches.
func TestWhileItWatchesWhoWouldWakeItCanRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var over, busy, came atomic.Bool
	var others sync.WaitGroup
	others.Go(func() {
		for busy.Store(true); !over.Load(); {
		}
	})
	for !busy.Load() {
		runtime.Gosched()
	}
	c := reactor.NewWallClock()
	for range 50 { // in less time than it takes until a busy goroutine has to give way
		slumber(c)
		others.Go(func() { came.Store(true) })
		if c.Spin(fiber.Never, came.Load) {
			break
		}
	}
	over.Store(true)
	seen := came.Load()
	others.Wait()
	require.True(t, seen)
}

// Whoever wakes a fiber finds the owner awake, or wakes it.
func TestEveryWakeIsHeardAwakeOrAsleep(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{Clock: reactor.NewWallClock()})
	w := s.Attachments().NewWaker()
	_, err := s.Spawn(0)
	require.NoError(t, err)
	const wakes = 2000
	heard, gone := make(chan int, wakes), make(chan struct{})
	go func() {
		defer close(gone)
		for n := range wakes {
			for !w.Wake(fiber.Result{Code: fiber.OK}) {
				runtime.Gosched()
			}
			<-heard
			if n%100 == 0 { // now and then it is to fall asleep
				c := reactor.NewWallClock()
				c.Wait(context.Background(), c.Now().After(200*time.Microsecond), nil)
			}
		}
	}()
	n := -1
	err = s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		if n++; n > 0 {
			s.Claim()
			heard <- n
		}
		if n == wakes {
			return fiber.Outcome{Kind: fiber.Done}
		}
		if err := w.Park(s.Arm(fiber.OnQueue().FromOutside(), w)); err != nil {
			t.Error(err)
		}
		return fiber.BlockOn(fiber.OnQueue())
	}))
	require.NoError(t, err)
	<-gone
}
