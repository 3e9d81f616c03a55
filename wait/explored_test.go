package wait_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

var errWrong = errors.New("a promise is broken")

// expect is an error if a promise is broken.
func expect(holds bool, errs ...error) error {
	if !holds {
		errs = append(errs, errWrong)
	}
	return errors.Join(errs...)
}

// explored are programs on the objects of this package, small enough for all of their schedules to be
// run, up to the order of independent steps.
var explored = map[string]func(rt *stackful.Runtime){
	"a mutex admits one": func(rt *stackful.Runtime) {
		lock, inside := wait.NewMutex(wait.HandOver), 0
		for range 3 {
			rt.Go("", func(f *stackful.Fiber) (any, error) {
				err := f.Lock(lock)
				inside++
				wrong := expect(inside == 1, err, f.Yield())
				inside--
				return nil, errors.Join(wrong, f.Unlock(lock))
			})
		}
	},
	"readers share, a writer does not": func(rt *stackful.Runtime) {
		lock, readers, writers := wait.NewRWMutex(wait.HandOver), 0, 0
		for range 2 {
			rt.Go("reader", func(f *stackful.Fiber) (any, error) {
				err := f.RLock(lock)
				readers++
				wrong := expect(writers == 0, err, f.Yield())
				readers--
				return nil, errors.Join(wrong, f.RUnlock(lock))
			})
		}
		rt.Go("writer", func(f *stackful.Fiber) (any, error) {
			err := f.Lock(lock)
			writers++
			wrong := expect(readers == 0, err, f.Yield())
			writers--
			return nil, errors.Join(wrong, f.Unlock(lock))
		})
	},
	"a bounded buffer loses nothing": func(rt *stackful.Runtime) {
		lock := wait.NewMutex(wait.HandOver)
		full, buffer := wait.NewCond(lock), []int(nil)
		rt.Go("consumer", func(f *stackful.Fiber) (any, error) {
			err := f.Lock(lock)
			for err == nil && len(buffer) < 2 {
				err = f.Wait(full)
			}
			return nil, expect(len(buffer) == 2, err, f.Unlock(lock))
		})
		for i := range 2 {
			rt.Go("producer", func(f *stackful.Fiber) (any, error) {
				err := f.Lock(lock)
				buffer = append(buffer, i)
				return nil, errors.Join(err, f.Signal(full), f.Unlock(lock))
			})
		}
	},
	"a select takes one value": func(rt *stackful.Runtime) {
		a, b := wait.NewChan[int](0), wait.NewChan[int](1)
		for _, ch := range []*wait.Chan[int]{a, b} {
			rt.Go("sender", func(f *stackful.Fiber) (any, error) { return nil, stackful.Send(f, ch, 1) })
		}
		rt.Go("receiver", func(f *stackful.Fiber) (any, error) {
			sum := 0
			for range 2 {
				ra, rb := wait.RecvFrom(a), wait.RecvFrom(b)
				_, err := f.Select(wait.NewSelect(ra, rb))
				va, _ := ra.Value()
				vb, _ := rb.Value()
				if sum += va + vb; err != nil {
					return nil, err
				}
			}
			return nil, expect(sum == 2)
		})
	},
	"a closed channel is drained": func(rt *stackful.Runtime) {
		ch := wait.NewChan[int](1)
		rt.Go("sender", func(f *stackful.Fiber) (any, error) {
			return nil, errors.Join(stackful.Send(f, ch, 1), stackful.Send(f, ch, 2), stackful.Close(f, ch))
		})
		rt.Go("receiver", func(f *stackful.Fiber) (any, error) {
			for want := 1; ; want++ {
				if v, ok, err := stackful.Recv(f, ch); !ok || err != nil || v != want {
					return nil, expect(!ok && want == 3, err)
				}
			}
		})
	},
	"permits are limited, and a timeout takes none": func(rt *stackful.Runtime) {
		permits := wait.NewSemaphore(1)
		for range 3 {
			rt.Go("", func(f *stackful.Fiber) (any, error) {
				if f.AcquireUntil(permits, 1, f.Within(time.Second)) == stackful.ErrTimeout {
					return nil, nil
				}
				return nil, errors.Join(f.Sleep(time.Second), f.Release(permits, 1))
			})
		}
	},
	"a once runs once": func(rt *stackful.Runtime) {
		once, runs := new(wait.Once), 0
		for range 3 {
			rt.Go("", func(f *stackful.Fiber) (any, error) {
				err := f.Do(once, func() error { runs++; return f.Yield() })
				return nil, expect(runs == 1, err)
			})
		}
	},
}

func TestTheObjectsKeepTheirPromisesUnderEverySchedule(t *testing.T) {
	for name, program := range explored {
		t.Run(name, func(t *testing.T) {
			r := explore.TestWith(t, explore.Options{Strategy: explore.DPOR(), Runs: 100_000}, program)
			require.NotEmpty(t, r.Complete)
			t.Log(r.Runs, "schedules")
		})
	}
}
