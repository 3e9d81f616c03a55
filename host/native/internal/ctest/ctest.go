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

// Job is what Work does, and what it was told: see ctest.h.
type Job = C.ctest_job

// Forgery is what Forge was told: see ctest.h.
type Forgery = C.ctest_forgery

// NewJob calls a function so many times.
func NewJob(fn uint64, times int) *Job {
	return &Job{Func: C.selvage_func(fn), Times: C.int64_t(times)}
}

// NewForgery tries to call a function in all the wrong ways; stale is a job that is over.
func NewForgery(fn uint64, stale *Job) *Forgery {
	return &Forgery{Func: C.selvage_func(fn), Stale: stale.Kept}
}

// Work is a C function for Host.Call that does a Job.
func Work() unsafe.Pointer { return unsafe.Pointer(C.ctest_work) }

// Forge is one that does a Forgery.
func Forge() unsafe.Pointer { return unsafe.Pointer(C.ctest_forge) }

// Own is one that fails by itself, with 1000.
func Own() unsafe.Pointer { return unsafe.Pointer(C.ctest_own) }

// Outside calls the job's function from C code that no Host has called.
func Outside(job *Job) int { return int(C.ctest_outside(job)) }

// Plain makes so many callbacks that do nothing: what cgo itself costs.
func Plain(times int) { C.ctest_plain(C.int64_t(times)) }

//export ctestPlain
func ctestPlain(unsafe.Pointer) {}
