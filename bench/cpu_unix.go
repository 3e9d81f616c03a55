//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is the processor time the process has used so far, on all processors.
func cpuTime() time.Duration {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpuRows compare processor time where the system reports it.
func cpuRows() []row {
	return append(httpRows(), stealRow(), row{id: "P19", work: "1M sleepers over 1 s, CPU each", peer: "time.Sleep", goal: 8, n: 1_000_000, whole: true, most: 3,
		ours: cpuOf(onFibers), theirs: cpuOf(onGoroutines)})
}

// processorWorks are those whose processor time is compared.
func processorWorks() []sharedWork {
	return []sharedWork{{"sleepers", nil, row{id: "P19", work: "1M sleepers over 1 s, CPU each", n: million, whole: true, most: 3, ours: cpuOf(onFibers)}}}
}
