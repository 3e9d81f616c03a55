//go:build !unix

package profile

import "time"

// newSource measures from now on. The CPU time of the process is not known here.
func newSource() source {
	start := time.Now()
	return source{
		wall: func() time.Duration { return time.Since(start) },
		cpu:  func() (time.Duration, bool) { return 0, false },
	}
}
