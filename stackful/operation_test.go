package stackful

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestAnOperationEndsWithItsCompletion(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("reader", func(f *Fiber) {
			done, err := f.Operate(func(tok fiber.Token) error {
				s.is("early", s.sched.Ops().Complete(tok, ioqueue.Completion{N: 5}), ioqueue.Early)
				return nil
			})
			s.trace(f, "%d %v", done.N, err)
			_, err = f.OperateUntil(func(fiber.Token) error { return nil }, f.Within(time.Second))
			s.trace(f, "%v", err)
		})
		s.run()
		s.traced("reader: 5 <nil>", "reader: "+ErrTimeout.Error())
	})
}

// Whatever keeps an operation from beginning, no token of it stays behind (I12).
func TestAnOperationThatDoesNotBeginLeavesNoToken(t *testing.T) {
	refused := errors.New("the device is gone")
	for name, start := range map[string]func(fiber.Token) error{
		"it is refused":   func(fiber.Token) error { return refused },
		"starting panics": func(fiber.Token) error { panic(refused) },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(s *testRun) {
				var got error
				s.spawn("reader", func(f *Fiber) {
					defer func() {
						if v := recover(); v != nil {
							got = v.(error)
						}
					}()
					_, got = f.Operate(start)
				})
				s.run()
				s.is("error", got, refused)
				c := s.sched.Ops().Counters()
				s.is("ended", c.Completed+c.Late, c.Submitted)
				s.is("submitted", c.Submitted, uint64(1))
			})
		})
	}
}

// operates does an operation that is over at once.
func operates(f *Fiber, s *testRun) error {
	_, err := f.Operate(func(tok fiber.Token) error {
		s.sched.Ops().Complete(tok, ioqueue.Completion{})
		return nil
	})
	return err
}

// A call of native code cannot wait for a token itself (I8).
func TestANativeCallDoesOperationsLikeItsFiber(t *testing.T) {
	refused := errors.New("the device is gone")
	inEveryMode(t, func(s *testRun) {
		s.spawn("caller", func(f *Fiber) {
			s.within(f, 2, func() {
				done, err := f.Operate(func(tok fiber.Token) error {
					go s.sched.Inbox().Complete(tok, ioqueue.Completion{Value: "all of it"})
					return nil
				})
				s.ok(err)
				s.is("completed with", done.Value, "all of it")
				s.ok(operates(f, s))
				_, err = f.OperateUntil(func(fiber.Token) error { return nil }, f.Within(time.Second))
				s.is("late", err, ErrTimeout)
				_, err = f.Operate(func(fiber.Token) error { return refused })
				s.is("not begun", err, refused)
				func() {
					defer func() { s.is("a panic goes on", recover(), refused) }()
					_, _ = f.Operate(func(fiber.Token) error { panic(refused) })
				}()
			})
			s.trace(f, "done")
		})
		s.run()
		s.traced("caller: done")
		s.sched.Inspect().Verify()
	})
}

func TestAnOperationOfANativeCallNeedsNoOtherFiber(t *testing.T) {
	eachWith(t, Config{Config: scheduler.Config{MaxFibers: 1}}, func(s *testRun) {
		s.spawn("caller", func(f *Fiber) {
			s.within(f, 1, func() { s.ok(operates(f, s)) })
		})
		s.run()
	})
}
