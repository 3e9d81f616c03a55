package stackful

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

var errFailed = errors.New("failed")

// mainRun is a run with a main fiber and others.
type mainRun struct {
	*testRun
	ctx    context.Context
	cancel context.CancelFunc
	main   *Task
	peer   *Task
	body   func(*Fiber) error // of the peer
	in     func(*Fiber, Func) (any, error)
}

// modes are how the code of a fiber is run: as it is, or in a native call.
var modes = map[string]struct {
	nesting bool
	in      func(*Fiber, Func) (any, error)
}{
	"plain":   {false, func(f *Fiber, fn Func) (any, error) { return fn(f) }},
	"parking": {false, (*Fiber).Call},
	"nesting": {true, (*Fiber).Call},
}

func isErr(want error) func(error) bool { return func(err error) bool { return errors.Is(err, want) } }
func isNil(err error) bool              { return err == nil }
func isA[E error](err error) bool       { return errors.As(err, new(E)) }

// mainEnds are the ways for a run with a main fiber to end. The peer runs when the main fiber waits.
var mainEnds = map[string]struct {
	policy panicstate.Policy
	main   func(s *mainRun, f *Fiber) error
	peer   func(s *mainRun, f *Fiber) error // nil: it sleeps
	want   func(error) bool
	nests  func(error) bool // if it differs in a fiber that nests
	lives  bool             // fibers are left as they are, unless they nest
}{
	"it returns":    {main: func(*mainRun, *Fiber) error { return nil }, want: isNil},
	"it fails":      {main: func(*mainRun, *Fiber) error { return errFailed }, want: func(err error) bool { return err == errFailed }},
	"it panics":     {main: func(*mainRun, *Fiber) error { panic(errFailed) }, want: isA[*scheduler.PanicError]},
	"its goroutine": {main: func(*mainRun, *Fiber) error { runtime.Goexit(); return nil }, want: isErr(ErrGoexit)},
	"its panic fails the run": {
		policy: panicstate.FailRun,
		main:   func(*mainRun, *Fiber) error { panic(errFailed) },
		want:   isA[*scheduler.PanicError],
	},
	"it is killed": {
		main: func(s *mainRun, f *Fiber) error { return f.Sleep(time.Hour) },
		peer: func(s *mainRun, _ *Fiber) error { return s.sched.Kill(s.main.ID(), errStop) },
		want: func(err error) bool { return errors.Is(err, scheduler.ErrKilled) && errors.Is(err, errStop) },
	},
	"it kills itself": {
		main: func(s *mainRun, f *Fiber) error { s.ok(s.sched.Kill(f.ID(), errStop)); return nil },
		want: isErr(errStop),
	},
	"it is cancelled": {
		main: func(s *mainRun, f *Fiber) error { return f.Sleep(time.Hour) },
		peer: func(s *mainRun, _ *Fiber) error { return s.sched.Cancel(s.main.ID(), errStop) },
		want: func(err error) bool { return errors.Is(err, scheduler.ErrCancelled) && errors.Is(err, errStop) },
	},
	"it is cancelled, and returns": {
		main: func(s *mainRun, f *Fiber) error { _ = f.Sleep(time.Hour); return nil },
		peer: func(s *mainRun, _ *Fiber) error { return s.sched.Cancel(s.main.ID(), errStop) },
		want: isNil,
	},
	"the context ends": {
		main: func(s *mainRun, f *Fiber) error { return f.Sleep(time.Hour) },
		peer: func(s *mainRun, _ *Fiber) error { s.cancel(); return nil },
		want: func(err error) bool { return err == context.Canceled },
	},
	"it returns when the context has ended": {
		main: func(s *mainRun, _ *Fiber) error { s.cancel(); return nil },
		want: func(err error) bool { return err == context.Canceled },
	},
	"it fails when the context has ended": {
		main: func(s *mainRun, _ *Fiber) error { s.cancel(); return errFailed },
		want: isErr(errFailed),
	},
	"another's panic fails the run": {
		policy: panicstate.FailRun,
		main:   func(_ *mainRun, f *Fiber) error { _ = f.Sleep(time.Hour); return errFailed },
		peer:   func(*mainRun, *Fiber) error { panic(errStop) },
		want:   isErr(errStop),
	},
	"a deadlock": {
		main:  func(s *mainRun, f *Fiber) error { return second(f.Join(s.peer)) },
		peer:  func(s *mainRun, f *Fiber) error { return second(f.Join(s.main)) },
		want:  isA[*scheduler.DeadlockError],
		lives: true,
	},
	"another's deadlock, and it returns": {
		main:  func(s *mainRun, f *Fiber) error { _, _ = f.Join(s.peer); return nil },
		peer:  func(_ *mainRun, f *Fiber) error { return f.forever(fiber.Never) },
		want:  isA[*scheduler.DeadlockError],
		lives: true,
	},
	"another's deadlock, and it fails": {
		main:  func(s *mainRun, f *Fiber) error { _, _ = f.Join(s.peer); return errFailed },
		peer:  func(_ *mainRun, f *Fiber) error { return f.forever(fiber.Never) },
		want:  isA[*scheduler.DeadlockError],
		nests: isErr(errFailed),
		lives: true,
	},
	"another's call buries its own": {
		main: func(s *mainRun, f *Fiber) error {
			a, b := wait.NewChan[int](0), wait.NewChan[int](0)
			s.body = func(f *Fiber) error {
				if err := Send(f, a, 1); err != nil {
					return err
				}
				_, _, err := Recv(f, b)
				return err
			}
			_, _, err := Recv(f, a)
			_, _ = TrySend(f, b, 2)
			return err
		},
		peer:  func(s *mainRun, f *Fiber) error { return s.body(f) },
		want:  isNil,
		nests: isA[*scheduler.StackInversionError],
	},
}

// The result of a run is that of its main fiber. It is nil only if the main fiber returned, the
// context has not ended, and no pinned call has failed.
func TestARunEndsAsItsMainFiberDoes(t *testing.T) {
	for how, end := range mainEnds {
		for mode, m := range modes {
			t.Run(how+"/"+mode, func(t *testing.T) {
				eachWith(t, Config{Nesting: m.nesting, OnPanic: end.policy}, func(s *testRun) {
					r := &mainRun{testRun: s, in: m.in}
					r.ctx, r.cancel = context.WithCancel(t.Context())
					defer r.cancel()
					err := r.run(end.main, end.peer)
					want := end.want
					if m.nesting && end.nests != nil {
						want = end.nests
					}
					if !want(err) {
						t.Errorf("the run ended with %v", err)
					}
					if left := s.sched.Inspect().Live() > 0; left != (end.lives && !m.nesting) {
						t.Errorf("%d fibers are left: %v", s.sched.Inspect().Live(), err)
					}
				})
			})
		}
	}
}

func (r *mainRun) run(main, peer func(*mainRun, *Fiber) error) error {
	body := func(of func(*mainRun, *Fiber) error) Func {
		return func(f *Fiber) (any, error) {
			return r.in(f, func(f *Fiber) (any, error) { return nil, of(r, f) })
		}
	}
	var err error
	r.main, err = r.GoWith("main", body(main), scheduler.Options{Main: true})
	r.ok(err)
	if peer == nil {
		peer = func(_ *mainRun, f *Fiber) error { return f.Sleep(time.Hour) }
	}
	r.peer = r.start("peer", body(peer))
	return r.Run(r.ctx)
}

// A run after the one that a main fiber, or a verdict, has ended knows nothing of it.
func TestTheNextRunEndsOnItsOwn(t *testing.T) {
	for how, end := range mainEnds {
		eachWith(t, Config{Nesting: true, OnPanic: end.policy}, func(s *testRun) {
			r := &mainRun{testRun: s, in: (*Fiber).Call}
			r.ctx, r.cancel = context.WithCancel(t.Context())
			defer r.cancel()
			_ = r.run(end.main, end.peer)
			s.spawn("next", func(f *Fiber) { s.ok(f.Sleep(time.Second)) })
			if err := s.Run(t.Context()); err != nil {
				t.Errorf("after %q: %v", how, err)
			}
		})
	}
}
