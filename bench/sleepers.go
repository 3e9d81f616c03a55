package main

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// sleep lets as many sleepers as there are times sleep once each, in real time. It stores
// how long after its deadline each of them woke, if late has room.
type sleep func(times, late []time.Duration)

// naps are the times of n sleepers, within a second.
func naps(n int) []time.Duration {
	rnd := rand.New(rand.NewPCG(5, 6))
	times := make([]time.Duration, n)
	for i := range times {
		times[i] = time.Duration(rnd.Int64N(int64(time.Second)))
	}
	return times
}

// napper is a fiber that sleeps once.
type napper struct {
	n   int
	due fiber.Time // 0 before it sleeps
}

// onFibers are fibers under Run on the wall clock, in real time.
func onFibers(times, late []time.Duration) {
	clock := wallclock.New()
	s := scheduler.New[napper](scheduler.Config{Clock: clock})
	for n := range times {
		mustGet(s.Spawn(napper{n: n}))
	}
	now := s.Now
	if late != nil {
		now = clock.Now // the current time, not the start of the turn
	}
	err := s.Run(context.Background(), scheduler.MachineFunc[napper](
		func(s *scheduler.Scheduler[napper], f *scheduler.Fiber[napper]) fiber.Outcome {
			if f.Data.due == 0 {
				f.Data.due = now().After(times[f.Data.n])
				return fiber.BlockOn(fiber.Until(f.Data.due))
			}
			if s.Now() < f.Data.due {
				panic("bench: a fiber woke too early")
			}
			if late != nil {
				late[f.Data.n] = time.Duration(now() - f.Data.due)
			}
			return fiber.Outcome{Kind: fiber.Done}
		}))
	if err != nil {
		panic(err)
	}
}

// onGoroutines are goroutines in time.Sleep.
func onGoroutines(times, late []time.Duration) {
	var all sync.WaitGroup
	for n, d := range times {
		all.Go(func() {
			if late == nil {
				time.Sleep(d)
				return
			}
			due := time.Now().Add(d)
			time.Sleep(d)
			late[n] = time.Since(due)
		})
	}
	all.Wait()
}

// nights are the runs of one contender of P24. Each takes a second, so all figures are read from
// the same runs.
type nights struct {
	sleep sleep
	late  [][]time.Duration // by run, sorted
}

// lateness is a figure of P24: the lateness of a given percentile of a thousand sleepers.
func (k *nights) lateness(part int) func(int) time.Duration {
	run := 0
	return func(n int) time.Duration {
		if run == len(k.late) {
			late := make([]time.Duration, n)
			k.sleep(naps(n), late)
			slices.Sort(late)
			k.late = append(k.late, late)
		}
		late := k.late[run]
		run++
		return late[len(late)*part/1000]
	}
}

// cpuOf is P19: the processor time of the whole process, its garbage collection too, from
// the first spawn to the last end.
func cpuOf(s sleep) func(int) time.Duration {
	return func(n int) time.Duration {
		times := naps(n)
		runtime.GC() // the garbage of other rows
		before := cpuTime()
		s(times, nil)
		return cpuTime() - before
	}
}

// latenessRows report, in nanoseconds, the lateness of the median sleeper and of the 99th
// percentile.
func latenessRows() []row {
	ours, theirs := &nights{sleep: onFibers}, &nights{sleep: onGoroutines}
	rows := []row{
		{work: "1,000 sleepers, lateness p50", ours: ours.lateness(500), theirs: theirs.lateness(500)},
		{work: "1,000 sleepers, lateness p99", ours: ours.lateness(990), theirs: theirs.lateness(990)},
	}
	for i := range rows {
		r := &rows[i]
		r.id, r.peer, r.goal, r.atMost = "P24", "time.Sleep", 1.5, true
		r.n, r.whole, r.figure, r.most = 1000, true, true, 5
	}
	return rows
}
