//go:build !unix

package main

import "time"

func cpuTime() time.Duration { panic("bench: no processor time on this system") }

// cpuRows is empty where the system does not report processor time.
func cpuRows() []row { return nil }

// processorWorks is empty for the same reason.
func processorWorks() []sharedWork { return nil }
