//go:build !invariants

package wait_test

import (
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/wheel"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// The checked build is left out: it compares everything after each step.

// expiry is a timer that writes down when it was told that it is due.
type expiry struct {
	wait.Timer
	order *[]fiber.Time
	at    fiber.Time
}

func (e *expiry) Due(now fiber.Time, dst []fiber.Wakeup) []fiber.Wakeup {
	*e.order = append(*e.order, e.at)
	return e.Timer.Due(now, dst)
}

// A million timers, half of them stopped in another order than they were set in; the rest
// expire in the order of their deadlines. The second time
// nothing is allocated for any of them.
func TestOfAMillionTimersThoseNotStoppedExpireInOrder(t *testing.T) {
	million := 1_000_000
	if testing.Short() {
		million /= 10
	}
	clock := scheduler.NewVirtualClock()
	s := scheduler.New[struct{}](scheduler.Config{Clock: clock})
	timers, order := make([]expiry, million), make([]fiber.Time, 0, million)
	rng := rand.New(rand.NewPCG(1, 2))
	stopped := rng.Perm(million)[:million/2]
	round := func() {
		order = order[:0]
		start := clock.Now()
		for i := range timers {
			e := &timers[i]
			e.order, e.at = &order, start+fiber.Time(rng.Int64N(int64(time.Hour)))
			if e.Reset(e.at) {
				t.Fatal("it was set already")
			}
			s.Attachments().SetAlarm(e)
		}
		for _, i := range stopped {
			if !timers[i].Stop() {
				t.Fatal("it had fired before its time")
			}
			s.Attachments().SetAlarm(&timers[i])
		}
		for range 60 {
			clock.Advance(clock.Now().After(time.Minute + time.Second))
			s.Poll()
		}
		if len(order) != million/2 {
			t.Fatalf("%d expired", len(order))
		}
		for i := 1; i < len(order); i++ {
			if order[i] < order[i-1] {
				t.Fatalf("number %d expired at %v, after one of %v", i, order[i], order[i-1])
			}
		}
	}
	if n := testing.AllocsPerRun(1, round); n > 16 { // a level of the wheel that its clock comes to for the first time
		t.Errorf("%v allocations for a million timers in the second round", n)
	}
	s.Inspect().Verify()
}

// What a timer costs beside itself is its entry, once; as much again may be stale.
func TestATimersEntryInTheWheelIsThirtyTwoBytes(t *testing.T) {
	if n := unsafe.Sizeof(wheel.Entry{}); n > 32 { // on 32 bits it is smaller
		t.Errorf("an entry takes %d bytes", n)
	}
}
