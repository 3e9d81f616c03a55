//go:build cgo

package native_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/selvage-dev/selvage/host/native"
	"github.com/selvage-dev/selvage/host/native/internal/ctest"
	"github.com/selvage-dev/selvage/stackful"
)

// perform runs one fiber that C can call back into. In these examples the C function is
// ctest.Work, which calls a function so many times and adds up what it returns.
func perform(body func(h *native.Host, f *stackful.Fiber) error) {
	rt := stackful.New(stackful.Config{Backing: stackful.Goroutine})
	host := native.New(rt)
	defer host.Close()
	defer rt.Close()
	rt.Go("main", func(f *stackful.Fiber) (any, error) { return nil, body(host, f) })
	rt.Go("peer", func(f *stackful.Fiber) (any, error) {
		fmt.Println("the peer runs")
		return nil, nil
	})
	if err := rt.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
}

// C calls a function that waits. The C frames wait with it; the peer runs meanwhile.
func ExampleHost() {
	perform(func(h *native.Host, f *stackful.Fiber) error {
		next := h.Register(func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
			return 14, f.Sleep(time.Hour)
		})
		job := ctest.NewJob(uint64(next), 3)
		err := h.Call(f, ctest.Work(), unsafe.Pointer(job))
		fmt.Println("C added up", job.Sum, "by", f.Now())
		return err
	})
	// Output:
	// the peer runs
	// C added up 42 by 3h0m0s
}

// A panic goes on above C, when C has cleaned up and returned.
func ExampleHost_Call() {
	perform(func(h *native.Host, f *stackful.Fiber) error {
		defer func() { fmt.Println("recovered:", recover()) }()
		fails := h.Register(func(*stackful.Fiber, unsafe.Pointer) (int64, error) { panic("oh") })
		return h.Call(f, ctest.Work(), unsafe.Pointer(ctest.NewJob(uint64(fails), 1)))
	})
	// Output:
	// recovered: oh
	// the peer runs
}

// An error is C's to handle. If C passes its status on, it is the error of the call.
func ExampleError() {
	perform(func(h *native.Host, f *stackful.Fiber) error {
		errEmpty := errors.New("the store is empty")
		fails := h.Register(func(*stackful.Fiber, unsafe.Pointer) (int64, error) { return 0, errEmpty })
		err := h.Call(f, ctest.Work(), unsafe.Pointer(ctest.NewJob(uint64(fails), 1)))
		fmt.Println(err, errors.Is(err, errEmpty))
		fmt.Println(h.Call(f, ctest.Own(), nil))
		return nil
	})
	// Output:
	// native: C returned failed: the store is empty true
	// native: C returned status 1000
	// the peer runs
}

// What C passes is known to C and the function only. Go memory that C finds in other Go
// memory has to be pinned.
func ExampleFunc() {
	perform(func(h *native.Host, f *stackful.Fiber) error {
		double := h.Register(func(_ *stackful.Fiber, arg unsafe.Pointer) (int64, error) {
			return 2 * *(*int64)(arg), nil
		})
		value := int64(21)
		var pinner runtime.Pinner
		defer pinner.Unpin()
		pinner.Pin(&value)
		job := ctest.NewJob(uint64(double), 1)
		job.Data = unsafe.Pointer(&value)
		err := h.Call(f, ctest.Work(), unsafe.Pointer(job))
		fmt.Println(job.Sum)
		return err
	})
	// Output:
	// 42
	// the peer runs
}

// What C calls a function by is a number that nothing else has, before or after.
func ExampleFunction() {
	perform(func(h *native.Host, f *stackful.Fiber) error {
		gone := h.Register(nothing)
		h.Unregister(gone)
		err := h.Call(f, ctest.Work(), unsafe.Pointer(ctest.NewJob(uint64(gone), 1)))
		fmt.Println(gone, h.Register(nothing))
		fmt.Println(err)
		return nil
	})
	// Output:
	// 1 2
	// native: C returned no function: native: C called a function that is not registered
	// the peer runs
}

// A fiber whose stack is a coroutine cannot wait below C frames.
func ExampleStatus() {
	rt := stackful.New(stackful.Config{Backing: stackful.Coroutine})
	host := native.New(rt)
	defer host.Close()
	defer rt.Close()
	rt.Go("main", func(f *stackful.Fiber) (any, error) {
		job := ctest.NewJob(uint64(host.Register(nothing)), 1)
		err := host.Call(f, ctest.Work(), unsafe.Pointer(job))
		fmt.Println(native.Status(job.Status) == native.ForeignStack)
		fmt.Println(err)
		return nil, nil
	})
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// true
	// native: C returned foreign stack: trampoline: the stack stands on foreign frames and can neither park nor nest here; use a goroutine-backed fiber
	// <nil>
}

// runtime.Goexit, which testing's FailNow calls, cannot be stopped. In a Guard it ends
// another goroutine first, C is told, and the fiber ends when C has returned.
func ExampleGuard() {
	perform(func(h *native.Host, f *stackful.Fiber) error {
		guarded := h.Register(native.Guard(func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
			return 1, f.Yield()
		}))
		job := ctest.NewJob(uint64(guarded), 2)
		err := h.Call(f, ctest.Work(), unsafe.Pointer(job))
		fmt.Println(job.Sum)
		return err
	})
	// Output:
	// the peer runs
	// 2
}
