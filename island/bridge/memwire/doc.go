// Package memwire is a bridge.Transport within one process that injects faults, for tests and
// demonstrations of what a program makes of an unreliable network. It owns the frames in
// transit. It starts no goroutine and reads no clock: a delayed frame arrives when others have
// been sent. Who uses it: the tests and examples of package bridge.
package memwire
