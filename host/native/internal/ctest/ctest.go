//go:build cgo

package ctest

// #cgo CFLAGS: -I${SRCDIR}/../..
// #cgo LDFLAGS: -pthread
// #include "ctest.h"
import "C"

import (
	"unsafe"

	_ "github.com/selvage-dev/selvage/host/native" // defines selvage_call
)

// Job says what Work does, and records the results: see ctest.h.
type Job = C.ctest_job

// Forgery records the results of Forge: see ctest.h.
type Forgery = C.ctest_forgery

// NewJob makes a Job that calls a function the given number of times.
func NewJob(fn uint64, times int) *Job {
	return &Job{Func: C.selvage_func(fn), Times: C.int64_t(times)}
}

// NewForgery makes a Forgery that calls a function in all invalid ways. stale is a job that has
// ended.
func NewForgery(fn uint64, stale *Job) *Forgery {
	return &Forgery{Func: C.selvage_func(fn), Stale: stale.Kept}
}

// Work is a C function for Host.Call that does a Job.
func Work() unsafe.Pointer { return unsafe.Pointer(C.ctest_work) }

// Forge is a C function for Host.Call that does a Forgery.
func Forge() unsafe.Pointer { return unsafe.Pointer(C.ctest_forge) }

// Own is a C function for Host.Call that returns 1000, a status of its own.
func Own() unsafe.Pointer { return unsafe.Pointer(C.ctest_own) }

// Outside calls the job's function from C code that no Host has called.
func Outside(job *Job) int { return int(C.ctest_outside(job)) }

// Plain makes the given number of callbacks that do nothing, to measure the cost of cgo itself.
func Plain(times int) { C.ctest_plain(C.int64_t(times)) }

//export ctestPlain
func ctestPlain(unsafe.Pointer) {}
