//go:build unix

package profile

import (
	"syscall"
	"time"
)

// newSource measures from now on.
func newSource() source {
	start := time.Now()
	before, ok := processTime()
	return source{
		wall: func() time.Duration { return time.Since(start) },
		cpu: func() (time.Duration, bool) {
			now, known := processTime()
			return now - before, ok && known
		},
	}
}

// processTime is the CPU time of the process.
func processTime() (used time.Duration, ok bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
