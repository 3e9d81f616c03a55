//go:build cgo

package native_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/native/internal/ctest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// receive is a wait for a value from a channel.
func receive(f *stackful.Fiber, ch *wait.Chan[int], want int) error {
	v, _, err := stackful.Recv(f, ch)
	if err == nil && v != want {
		return fmt.Errorf("received %d, want %d", v, want)
	}
	return err
}

// sender spawns a fiber that sends one value.
func (s *stage) sender(ch *wait.Chan[int], v int) {
	s.start("sender", func(f *stackful.Fiber) (any, error) { return nil, stackful.Send(f, ch, v) })
}

// waits are the waits of a callback. Each spawns the fiber that ends the wait, and returns the wait.
var waits = map[string]func(s *stage) func(f *stackful.Fiber) error{
	"channel": func(s *stage) func(f *stackful.Fiber) error {
		ch := wait.NewChan[int](0)
		s.sender(ch, 7)
		return func(f *stackful.Fiber) error { return receive(f, ch, 7) }
	},
	"select fed by two fibers that then end": func(s *stage) func(f *stackful.Fiber) error {
		a, b := wait.NewChan[int](0), wait.NewChan[int](0)
		s.sender(a, 1)
		s.sender(b, 1)
		return func(f *stackful.Fiber) error {
			seen := 0
			for range 2 {
				i, err := f.Select(wait.NewSelect(wait.RecvFrom(a), wait.RecvFrom(b)))
				s.ok(err)
				seen += 1 << i
			}
			s.is("both cases", seen, 3)
			return nil
		}
	},
	"mutex": func(s *stage) func(f *stackful.Fiber) error {
		m := wait.NewMutex(wait.Poison)
		held := wait.NewChan[int](0)
		s.start("holder", func(f *stackful.Fiber) (any, error) {
			s.ok(f.Lock(m))
			s.ok(stackful.Send(f, held, 1))
			s.ok(f.Sleep(time.Second))
			return nil, f.Unlock(m)
		})
		return func(f *stackful.Fiber) error {
			s.ok(receive(f, held, 1))
			s.ok(f.Lock(m))
			return f.Unlock(m)
		}
	},
	"join": func(s *stage) func(f *stackful.Fiber) error {
		task := s.start("child", func(f *stackful.Fiber) (any, error) { return 42, f.Sleep(time.Second) })
		return func(f *stackful.Fiber) error {
			v, err := f.Join(task)
			s.is("joined", v, 42)
			return err
		}
	},
	"timer": func(s *stage) func(f *stackful.Fiber) error {
		return func(f *stackful.Fiber) error {
			before := f.Now()
			s.ok(f.Sleep(time.Hour))
			s.is("woke at", f.Now(), before.After(time.Hour))
			return nil
		}
	},
	"a wake from another goroutine": func(s *stage) func(f *stackful.Fiber) error {
		return func(f *stackful.Fiber) error {
			_, res, err := f.Await(fiber.OnQueue().FromOutside(), func(t fiber.Ticket) error {
				go s.rt.Scheduler().Inbox().Deliver(t, fiber.Result{Code: fiber.OK})
				return nil
			})
			s.is("woken with", res.Code, fiber.OK)
			return err
		}
	},
	"a turn of the others": func(s *stage) func(f *stackful.Fiber) error {
		turns := 0
		s.start("other", func(*stackful.Fiber) (any, error) { turns++; return nil, nil })
		return func(f *stackful.Fiber) error {
			s.ok(f.Yield())
			s.is("turns of the other", turns, 1)
			return nil
		}
	},
}

func TestEveryWaitCompletesBelowCFramesAtAnyDepth(t *testing.T) {
	for name, prepare := range waits {
		for _, depth := range []int{1, 2, 8} {
			t.Run(fmt.Sprintf("%s/%d deep", name, depth), func(t *testing.T) {
				inEachMode(t, func(s *stage) {
					var body func(f *stackful.Fiber) error
					s.start("caller", func(f *stackful.Fiber) (any, error) {
						s.ok(s.within(f, depth, body))
						s.is("executing after it", s.rt.Scheduler().Inspect().Executing(), f.ID())
						s.say("over")
						return nil, nil
					})
					body = prepare(s)
					s.run()
					s.told("over")
				})
			})
		}
	}
}

func TestWhatFunctionsReturnReachesCAndWhatCPassesReachesThem(t *testing.T) {
	inEachMode(t, func(s *stage) {
		s.play(func(f *stackful.Fiber) {
			var number int64 = 5
			var pinner runtime.Pinner
			defer pinner.Unpin()
			pinner.Pin(&number)
			job, err := s.asked(f, func(f *stackful.Fiber, arg unsafe.Pointer) (int64, error) {
				return *(*int64)(arg), f.Yield()
			}, func(job *ctest.Job) { job.Times, job.Data = 3, unsafe.Pointer(&number) })
			s.ok(err)
			s.is("sum", int64(job.Sum), int64(15))
		})
	})
}

// One fiber waits in t0. Another waits in t1, on the same stack above it if they nest, and wakes t0.
func invert(s *stage) (upper *stackful.Task) {
	first, second := wait.NewChan[int](0), wait.NewChan[int](0)
	s.start("lower", func(f *stackful.Fiber) (any, error) {
		s.ok(s.within(f, 1, func(f *stackful.Fiber) error { return receive(f, first, 1) }))
		handed, err := stackful.TrySend(f, second, 2)
		s.say(fmt.Sprint("handed on: ", handed))
		return nil, err
	})
	return s.start("upper", func(f *stackful.Fiber) (any, error) {
		return nil, s.within(f, 1, func(f *stackful.Fiber) error {
			if err := stackful.Send(f, first, 1); err != nil {
				return err
			}
			return receive(f, second, 2)
		})
	})
}

func TestTheInversionCaseCompletesWhereCallbacksPark(t *testing.T) {
	s := newStage(t, stackful.Config{Backing: stackful.Goroutine})
	upper := invert(s)
	s.run()
	_, err, _ := upper.Result()
	s.ok(err)
	s.told("handed on: true")
}

func TestTheInversionCaseIsReportedAsOneWhereCallbacksPump(t *testing.T) {
	s := newStage(t, stackful.Config{Backing: stackful.Goroutine, Nesting: true})
	upper := invert(s)
	ran := s.rt.Run(t.Context())
	_, err, _ := upper.Result()
	var inversion *scheduler.StackInversionError
	if !errors.As(err, &inversion) || ran != error(inversion) {
		t.Errorf("upper ended with %v, the run with %v", err, ran)
	}
	s.told("handed on: false")
}

func TestTwoHundredFibersWaitInCAtOnce(t *testing.T) {
	s := newStage(t, stackful.Config{Backing: stackful.Goroutine})
	ch, sum := wait.NewChan[int](0), 0
	for i := range 200 {
		s.start("", func(f *stackful.Fiber) (any, error) {
			return nil, s.within(f, 1, func(f *stackful.Fiber) error { return receive(f, ch, i) })
		})
	}
	s.play(func(f *stackful.Fiber) {
		s.ok(f.Yield())
		s.is("in C", s.InFlight(), 200)
		for i := range 200 {
			s.ok(stackful.Send(f, ch, i)) // in the order of arrival (I11)
			sum++
		}
	})
	s.is("served", sum, 200)
}
