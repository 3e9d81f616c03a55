package minigo_test

import "runtime"

// collectGarbage runs the collector, and the cleanups of what it has freed.
func collectGarbage() {
	runtime.GC()
	done := make(chan struct{})
	runtime.AddCleanup(new([64]byte), func(done chan struct{}) { close(done) }, done)
	runtime.GC()
	<-done
}
