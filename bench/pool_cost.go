//go:build unix

package main

import (
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

// stealRow compares processor time.
func stealRow() row {
	return row{id: "P13", work: "being stealable, a task, one worker", peer: "Chase-Lev deque", goal: 0.6, atMost: true, n: 1 << 20,
		ours:   stealable(func(d int) { onPool(1, d, nil) }, func(d int) { onScheduler(d, nil) }),
		theirs: stealable(func(d int) { onDeques(1, d, nil) }, func(d int) { onStack(d, nil) })}
}

// onScheduler is onPool without stealing.
func onScheduler(depth int, work func()) {
	s := scheduler.New[branch](scheduler.Config{})
	var m scheduler.Machine[branch] = tree{work}
	fork(s, branch{depth})
	for s.Poll() {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			for s.Finish(m.Resume(s, f)) {
			}
		}
	}
}

// stealable is P13: the cost of a task being stealable, on one worker: the processor time of a
// program with stealable tasks, less that of the same program without. The minimum of several
// runs excludes disturbances.
func stealable(with, without func(depth int)) func(int) time.Duration {
	return func(n int) time.Duration {
		depth := depthOf(n)
		const ever = time.Duration(1 << 62)
		could, cannot := ever, ever
		for range 5 {
			start := cpuTime()
			with(depth)
			between := cpuTime()
			without(depth)
			could, cannot = min(could, between-start), min(cannot, cpuTime()-between)
		}
		return max(could-cannot, time.Duration(n)/10) // less than a tenth of a ns is noise
	}
}
