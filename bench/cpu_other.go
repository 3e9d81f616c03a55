//go:build !unix

package main

import "time"

func cpuTime() time.Duration { panic("bench: no processor time on this system") }

// cpuRows are none where the system does not tell processor time.
func cpuRows() []row { return nil }

// processorWorks are none for the same reason.
func processorWorks() []sharedWork { return nil }
