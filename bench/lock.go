package main

import (
	"runtime"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// locker is a fiber of P20, which repeatedly locks and unlocks. Unlocking hands the lock to the
// next waiter, so each time another fiber owns it.
type locker struct{ does holding }

// holding is the state of a locker.
type holding uint8

const (
	wants holding = iota
	waitsForIt
	holdsBack // the first: it keeps the lock until all the others wait for it
)

// handOff is P20: a lock is handed over n times among many fibers.
//
//go:noinline
func handOff(fibers int) func(int) time.Duration {
	return func(n int) time.Duration {
		l := &lockers{s: scheduler.New[locker](scheduler.Config{}), m: wait.NewMutex(wait.Poison)}
		for range fibers {
			mustGet(l.s.Spawn(locker{}))
		}
		start := time.Now()
		for l.taken < n {
			if f := l.s.ScheduleNext(); f != nil {
				l.turn(&f.Data)
			} else {
				l.s.Poll()
			}
		}
		return time.Since(start)
	}
}

type lockers struct {
	s     *scheduler.Scheduler[locker]
	m     *wait.Mutex
	taken int
}

// turn is one slice of the running fiber: it ends when the fiber waits for the lock.
func (l *lockers) turn(f *locker) {
	self := l.s.Current()
	switch f.does {
	case waitsForIt:
		t, _ := l.s.Claim()
		l.m.Collect(t)
		l.take()
		l.giveBack(self)
	case holdsBack:
		l.giveBack(self)
	}
	got, err := l.m.TryLock(self)
	must(err)
	if got {
		l.take()
		f.does = holdsBack
		l.s.YieldCurrent()
		return
	}
	f.does = waitsForIt
	t, _ := l.s.BlockOn(l.m.Source())
	must(l.m.ParkLock(t, self))
}

func (l *lockers) take() {
	l.s.Attachments().Own(l.m.OwnerHook())
	l.taken++
}

func (l *lockers) giveBack(self fiber.ID) {
	w, err := l.m.Unlock(self)
	must(err)
	l.s.Attachments().Disown(l.m.OwnerHook())
	l.s.Apply(w)
}

// syncMutex is its peer. A goroutine that unlocks would lock again at once, so it yields while it
// holds the lock; otherwise the lock would never change hands.
//
//go:noinline
func syncMutex(goroutines int) func(int) time.Duration {
	return func(n int) time.Duration {
		var m sync.Mutex
		var wg sync.WaitGroup
		start := time.Now()
		for i := range goroutines {
			each := part(n, i, goroutines)
			wg.Go(func() {
				for range each {
					m.Lock()
					runtime.Gosched()
					m.Unlock()
				}
			})
		}
		wg.Wait()
		return time.Since(start)
	}
}
