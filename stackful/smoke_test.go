package stackful_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

func TestPipeline(t *testing.T) {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	a, b := wait.NewChan[int](0), wait.NewChan[int](3)
	rt.Go("src", func(f *stackful.Fiber) (any, error) {
		for i := range 1000 {
			if err := stackful.Send(f, a, i); err != nil {
				return nil, err
			}
		}
		return nil, stackful.Close(f, a)
	})
	rt.Go("mid", func(f *stackful.Fiber) (any, error) {
		for {
			v, ok, err := stackful.Recv(f, a)
			if err != nil || !ok {
				return nil, errors.Join(err, stackful.Close(f, b))
			}
			if err := f.Sleep(time.Millisecond); err != nil {
				return nil, err
			}
			stackful.Send(f, b, v*2)
		}
	})
	sum, err := rt.Go("sink", func(f *stackful.Fiber) (any, error) {
		sum := 0
		for {
			v, ok, err := stackful.Recv(f, b)
			if !ok {
				return sum, err
			}
			sum += v
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if v, err, done := sum.Result(); v != 999000 || err != nil || !done {
		t.Fatal(v, err, done)
	}
	if rt.Scheduler().Now() < 1e9 {
		t.Fatal(rt.Scheduler().Now())
	}
}

func TestDeadlockThenClose(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, b := range []stackful.Backing{stackful.Coroutine, stackful.Goroutine} {
		rt := stackful.New(stackful.Config{Backing: b})
		m1, m2 := wait.NewMutex(wait.Poison), wait.NewMutex(wait.Poison)
		unwound := 0
		lock := func(a, b *wait.Mutex) stackful.Func {
			return func(f *stackful.Fiber) (any, error) {
				defer func() { unwound++ }()
				f.Lock(a)
				f.Yield()
				err := f.Lock(b)
				for f.Yield() != nil {
				}
				return nil, err
			}
		}
		rt.Go("a", lock(m1, m2))
		rt.Go("b", lock(m2, m1))
		rt.Go("c", func(f *stackful.Fiber) (any, error) { panic("boom") })
		rt.Go("d", func(f *stackful.Fiber) (any, error) { runtime.Goexit(); return nil, nil })
		err := rt.Run(context.Background())
		var dl *scheduler.DeadlockError
		if !errors.As(err, &dl) {
			t.Fatal(err)
		}
		t.Log(err)
		rt.Close()
		if unwound != 2 {
			t.Fatal(unwound)
		}
	}
	if n := runtime.NumGoroutine(); n != before {
		t.Fatal(n, before)
	}
}
