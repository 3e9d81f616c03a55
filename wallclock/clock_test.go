package wallclock_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
	"github.com/stretchr/testify/require"
)

func TestWaitEndsAtTheInstantAndNotBefore(t *testing.T) {
	c := wallclock.New()
	for range 3 {
		until := c.Now().After(2 * time.Millisecond)
		c.Wait(context.Background(), until, nil)
		if now := c.Now(); now < until {
			t.Fatalf("woke at %v, before %v", now, until)
		}
	}
}

func TestAWakeUpAndTheContextEndAWaitWithoutADeadline(t *testing.T) {
	c := wallclock.New()
	bell := make(chan struct{}, 1)
	bell <- struct{}{}
	c.Wait(context.Background(), fiber.Never, bell)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c.Wait(ctx, fiber.Never, bell)
}

func TestWaitForAPastInstantReturnsAtOnce(t *testing.T) {
	c := wallclock.New()
	c.Wait(context.Background(), c.Now()-1, nil)
	c.Wait(context.Background(), 0, nil)
}

func TestAWakeUpStopsTheTimerOfItsWait(t *testing.T) {
	c := wallclock.New()
	bell := make(chan struct{}, 1)
	bell <- struct{}{}
	c.Wait(context.Background(), c.Now().After(time.Hour), bell)
	until := c.Now().After(time.Millisecond)
	c.Wait(context.Background(), until, bell)
	if now := c.Now(); now < until {
		t.Fatalf("woke at %v, before %v", now, until)
	}
}

// sleepBriefly ends a Wait so soon that the clock spins at the next Watch.
func sleepBriefly(c *wallclock.Clock) {
	bell := make(chan struct{}, 1)
	bell <- struct{}{}
	c.Wait(context.Background(), fiber.Never, bell)
}

func TestWatchSpinsAfterQuickWakeUpsAndStopsAfterEightInVain(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		runtime.GOMAXPROCS(2)
		defer runtime.GOMAXPROCS(1)
	}
	c := wallclock.New()
	nothing := func() bool { return false }
	if c.Spin(fiber.Never, func() bool { return true }) {
		t.Fatal("it stays awake although nothing has ever come soon")
	}
	sleepBriefly(c)
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
	sleepBriefly(c)
	if began := c.Now(); c.Spin(began.After(10*time.Microsecond), nothing) || c.Now() > began.After(time.Second) {
		t.Fatal("it stays awake for longer than until the instant")
	}
}

// The other processor is busy, so the goroutine that sets came can only run on this one.
func TestWatchLetsTheGoroutineRunThatWouldWakeIt(t *testing.T) {
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
	c := wallclock.New()
	for range 50 { // in less time than the Go runtime takes to preempt the busy goroutine
		sleepBriefly(c)
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

func TestNoWakeUpIsLostWhetherTheOwnerSpinsOrSleeps(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{Clock: wallclock.New()})
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
			if n%100 == 0 { // give the owner time to sleep
				c := wallclock.New()
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
		if err := w.Park(s.Arm(fiber.OnQueue().FromOutside(), w.Source())); err != nil {
			t.Error(err)
		}
		return fiber.BlockOn(fiber.OnQueue())
	}))
	require.NoError(t, err)
	<-gone
}
