//go:build cgo

package native_test

import (
	"context"
	"testing"
	"time"
	"unsafe"

	"github.com/selvage-dev/selvage/host/native"
	"github.com/selvage-dev/selvage/host/native/internal/ctest"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

func nothing(*stackful.Fiber, unsafe.Pointer) (int64, error) { return 1, nil }

func TestACallIntoCAndItsCallbacksAllocateNothing(t *testing.T) {
	s := newStage(t, stackful.Config{Backing: stackful.Goroutine})
	s.play(func(f *stackful.Fiber) {
		job := ctest.NewJob(uint64(s.Register(nothing)), 3)
		allocs := testing.AllocsPerRun(100, func() { s.ok(s.Call(f, ctest.Work(), unsafe.Pointer(job))) })
		s.is("allocations", allocs, 0.0)
	})
}

// A callback that returns at once, beside one of plain cgo, in the same run.
func BenchmarkCallback(b *testing.B) {
	besidePlain(b, func(s *stackful.Runtime, h *native.Host) {
		start(b, s, func(f *stackful.Fiber) error {
			return h.Call(f, ctest.Work(), unsafe.Pointer(ctest.NewJob(uint64(h.Register(nothing)), b.N)))
		})
	})
}

// A callback that waits for a fiber which is in C itself: two of them, two switches
// between OS threads.
func BenchmarkCallbackThatWaits(b *testing.B) {
	besidePlain(b, func(rt *stackful.Runtime, h *native.Host) {
		ping, pong := wait.NewChan[int64](0), wait.NewChan[int64](0)
		send := h.Register(func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
			if err := stackful.Send(f, ping, 1); err != nil {
				return 0, err
			}
			v, _, err := stackful.Recv(f, pong)
			return v, err
		})
		reply := h.Register(func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
			v, _, err := stackful.Recv(f, ping)
			if err != nil {
				return 0, err
			}
			return v, stackful.Send(f, pong, v)
		})
		for _, fn := range []native.Function{send, reply} {
			start(b, rt, func(f *stackful.Fiber) error {
				return h.Call(f, ctest.Work(), unsafe.Pointer(ctest.NewJob(uint64(fn), b.N)))
			})
		}
	})
}

// A call into C that makes one callback.
func BenchmarkCall(b *testing.B) {
	besidePlain(b, func(rt *stackful.Runtime, h *native.Host) {
		job := ctest.NewJob(uint64(h.Register(nothing)), 1)
		start(b, rt, func(f *stackful.Fiber) error {
			for range b.N {
				if err := h.Call(f, ctest.Work(), unsafe.Pointer(job)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func start(b *testing.B, rt *stackful.Runtime, body func(f *stackful.Fiber) error) {
	if _, err := rt.Go("", func(f *stackful.Fiber) (any, error) { return nil, body(f) }); err != nil {
		b.Fatal(err)
	}
}

// besidePlain runs what prepare starts, and then as many callbacks of plain cgo.
func besidePlain(b *testing.B, prepare func(rt *stackful.Runtime, h *native.Host)) {
	rt := stackful.New(stackful.Config{Backing: stackful.Goroutine})
	h := native.New(rt)
	defer h.Close()
	defer rt.Close()
	prepare(rt, h)
	b.ReportAllocs()
	b.ResetTimer()
	if err := rt.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	began := time.Now()
	ctest.Plain(b.N)
	b.ReportMetric(float64(b.Elapsed())/float64(time.Since(began)), "x-plain")
}
