package main

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// cell is a payload without pointers that makes a slot one cache line.
type cell struct{ steps, _, _, _, _ uint64 }

// nextYield is P01: n slices over a fixed number of fibers.
//
//go:noinline
func nextYield(fibers int) func(int) time.Duration {
	return func(n int) time.Duration {
		s := scheduler.New[cell](scheduler.Config{})
		for range fibers {
			mustSpawn(s)
		}
		start := time.Now()
		for i := 0; i < n; {
			for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
				f.Data.steps++
				s.YieldCurrent()
				i++
			}
			s.Poll()
		}
		return time.Since(start)
	}
}

// blockWake is P03: each fiber blocks and wakes the one before it by its ticket.
//
//go:noinline
func blockWake(fibers int) func(int) time.Duration {
	return func(n int) time.Duration {
		s := scheduler.New[cell](scheduler.Config{})
		for range fibers {
			mustSpawn(s)
		}
		var last fiber.Ticket
		start := time.Now()
		for i := 0; i < n; {
			for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
				t, _ := s.BlockForQueue()
				if i > 0 && s.Deliver(last, fiber.Result{Code: fiber.OK}) != fiber.Woken {
					panic("bench: the ticket did not wake")
				}
				last = t
				i++
			}
			s.Poll()
		}
		return time.Since(start)
	}
}

// spawnRunKill is P05: one fiber after the other in the same slot, each run once to its end.
func spawnRunKill(n int) time.Duration {
	s := scheduler.New[cell](scheduler.Config{})
	start := time.Now()
	for range n {
		mustSpawn(s)
		f := s.ScheduleNext()
		if f == nil && s.Poll() {
			f = s.ScheduleNext()
		}
		f.Data.steps++
		s.KillCurrent()
	}
	took := time.Since(start)
	if c := s.Inspect().Counts(); c.Ended != uint64(n) {
		panic("bench: fibers were lost")
	}
	return took
}

func mustSpawn(s *scheduler.Scheduler[cell]) {
	if _, err := s.Spawn(cell{}); err != nil {
		panic(err)
	}
}
