package pool

import (
	"context"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// stuckCall makes a native call that nests and that nothing can wake, and unwinds.
func stuckCall(t *testing.T, m **scheduler.Scheduler[fiberFunc], verdict *error) fiberFunc {
	return func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
		*m = s
		id, err := s.AcquireTrampoline()
		if err != nil {
			t.Error(err)
			return done
		}
		s.Arm(fiber.OnQueue())
		if s.Block() == scheduler.Pinned {
			*verdict = s.Calls().Pump(scheduler.MachineFunc[fiberFunc](func(s *scheduler.Scheduler[fiberFunc], f *scheduler.Fiber[fiberFunc]) fiber.Outcome {
				return f.Data(s, worker)
			}))
		}
		s.ReleaseTrampoline(id)
		return done
	}
}

// A pool ends as a run of one scheduler does: with the error of the main fiber, with the
// verdict that has failed a pinned call, and with nil only if there was neither.
func TestAPoolEndsAsItsMainFiberDoes(t *testing.T) {
	failed := errors.New("failed")
	for name, c := range map[string]struct {
		main fiberFunc // nil: no main fiber
		call bool      // another worker has a call that nothing can wake
		want error     // nil with a call: its verdict
	}{
		"it returns": {main: func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return done }},
		"it fails": {want: failed, main: func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
			s.SetResult(nil, failed)
			return done
		}},
		"it fails by the error of a context": {want: context.Canceled, main: func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
			s.SetResult(nil, context.Canceled)
			return done
		}},
		"a call has failed, and there is no main fiber": {call: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTestPool(t, Config[fiberFunc]{Workers: 3})
			var on *scheduler.Scheduler[fiberFunc]
			var verdict error
			if c.main != nil {
				_, _ = p.schedulers[1].SpawnWith(c.main, scheduler.Options{Main: true})
				for i := range 3 {
					_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return again })
				}
			}
			if c.call {
				_, _ = p.schedulers[2].SpawnWith(stuckCall(t, &on, &verdict), scheduler.Options{Nests: true})
			}
			err := p.Run(t.Context())
			switch {
			case c.call:
				if on != p.schedulers[2] || verdict == nil || !errors.Is(err, verdict) {
					t.Errorf("the pool ended with %v, the call with %v", err, verdict)
				}
			case err != c.want:
				t.Errorf("the pool ended with %v", err)
			}
			checkConserved(t, p)
		})
	}
}

// The verdict was found before the main fiber on another worker returns.
func TestAPoolWhoseMainFiberReturnsDoesNotHideAFailedCall(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 2})
	var on *scheduler.Scheduler[fiberFunc]
	var verdict error
	failed := make(chan struct{})
	call := stuckCall(t, &on, &verdict)
	_, _ = p.schedulers[0].SpawnWith(func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
		defer close(failed)
		return call(s, worker)
	}, scheduler.Options{Nests: true})
	_, _ = p.schedulers[1].SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		<-failed
		return done
	}, scheduler.Options{Main: true})
	if err := p.Run(t.Context()); verdict == nil || !errors.Is(err, verdict) {
		t.Errorf("the pool ended with %v, the call with %v", err, verdict)
	}
}
