//go:build cgo

package native_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/selvage-dev/selvage/host/native"
	"github.com/selvage-dev/selvage/host/native/internal/ctest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// part is a function that C calls: what it does, and how it is called.
type part struct {
	waits    time.Duration
	calls    []part // through C, one after the other
	end      ending
	guarded  bool // runs on a goroutine of its own
	swallows bool // its C caller returns SELVAGE_OK whatever happens
	recovers bool // its Go caller, above C, recovers
}

// ending is how a part ends, or is to end.
type ending int

const (
	returns ending = iota
	fails
	panics
)

var errPart = errors.New("a part failed")

// draw makes a random part whose calls are so deep at most.
func draw(r *rand.Rand, depth int) part {
	p := part{
		waits:    time.Duration(r.IntN(3)) * time.Millisecond,
		end:      ending(max(0, r.IntN(6)-3)),
		guarded:  r.IntN(4) == 0,
		swallows: r.IntN(3) == 0,
		recovers: r.IntN(3) == 0,
	}
	for depth > 0 && len(p.calls) < 3 && r.IntN(4) > 0 {
		p.calls = append(p.calls, draw(r, depth-1))
	}
	return p
}

// expect is how the part ends without an interrupt, by the rules of the guide.
func (p part) expect() ending {
	for _, q := range p.calls {
		switch end := q.expect(); {
		case end == panics && !q.recovers, end == fails && !q.swallows:
			return end
		}
	}
	return p.end
}

func (s *stage) do(f *stackful.Fiber, p part) error {
	if p.waits > 0 {
		if err := f.Sleep(p.waits); err != nil {
			return err
		}
	}
	for _, q := range p.calls {
		if err := s.throughC(f, q); err != nil {
			return err
		}
	}
	switch p.end {
	case fails:
		return errPart
	case panics:
		panic(errPart)
	}
	return nil
}

func (s *stage) throughC(f *stackful.Fiber, p part) error {
	if p.recovers {
		defer func() { _ = recover() }()
	}
	fn := func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) { return 0, s.do(f, p) }
	if p.guarded {
		fn = native.Guard(fn)
	}
	_, err := s.asked(f, fn, func(j *ctest.Job) {
		if p.swallows {
			j.Swallows = 1
		}
	})
	return err
}

// endOf is how a fiber ended.
func endOf(err error) ending {
	var p *scheduler.PanicError
	switch {
	case errors.As(err, &p):
		return panics
	case err != nil:
		return fails
	}
	return returns
}

func TestRandomProgramsEndAsTheRulesSayAndKilledOnesLeaveNothing(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			inEachMode(t, func(s *stage) {
				r := rand.New(rand.NewPCG(seed, 0))
				programs := make([]part, 6)
				tasks := make([]*stackful.Task, len(programs))
				for i := range programs {
					programs[i] = draw(r, 4)
					tasks[i] = s.start("", func(f *stackful.Fiber) (any, error) { return nil, s.do(f, programs[i]) })
				}
				victim := tasks[r.IntN(len(tasks))]
				after := time.Duration(r.IntN(6)) * time.Millisecond
				s.play(func(f *stackful.Fiber) {
					s.ok(f.Sleep(after))
					_ = s.rt.Scheduler().Kill(victim.ID(), errStop) // unless it has ended
				})
				for i, task := range tasks {
					if _, err, _ := task.Result(); task != victim {
						s.is(fmt.Sprint("program ", i), endOf(err), programs[i].expect())
					}
				}
			})
		})
	}
}
