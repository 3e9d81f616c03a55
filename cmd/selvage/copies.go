package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
)

// runCopies runs the program several times at once, each time in a state of its own, on the
// workers of a reactor. The first copy that did not end well gives the status.
func (s *session) runCopies(program func(*session) error) error {
	env, _ := limits() // Validate has looked at them
	r, err := reactor.New(reactor.Config{Workers: s.Workers, InFlight: env.InFlight, Slice: env.Slice, Drain: env.Drain}, stage{})
	if err != nil {
		return err
	}
	copies, ends, errs := s.split(r), make([]ioqueue.Cell, s.Copies), make([]error, s.Copies)
	for n, c := range copies {
		if _, err := r.Scheduler().SpawnWith(c.place, scheduler.Options{Cell: &ends[n]}); err != nil {
			return err
		}
		c.place.begin(func() { errs[n] = program(c) })
	}
	// Every copy heeds the context itself, and unwinds in its own slices.
	if _, err := r.Run(context.WithoutCancel(s.ctx), &gathering{ends}); err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// split makes the sessions of the copies, which take turns to write.
func (s *session) split(r *reactor.Reactor[part]) []*session {
	lock := new(sync.Mutex)
	out := streams{&shared{lock, s.io.out}, &shared{lock, s.io.err}}
	copies := make([]*session, s.Copies)
	for n := range copies {
		copies[n] = &session{runCmd: s.runCmd, ctx: s.ctx, io: out, number: n + 1, place: newPlace(&r.Scheduler().Core)}
	}
	return copies
}

// shared is a stream of several copies.
type shared struct {
	lock *sync.Mutex
	to   io.Writer
}

func (w *shared) Write(p []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.to.Write(p)
}

// part is what a fiber of the reactor plays: a copy, or the end of all.
type part interface {
	play(s *reactor.Slice[part]) fiber.Outcome
}

// stage is the machine of the parts.
type stage struct{}

// Group: no two copies share anything.
func (stage) Group(*part) reactor.Group { return 0 }

func (stage) Resume(s *reactor.Slice[part]) fiber.Outcome { return (*s.Data).play(s) }

// gathering is the part that waits for the others.
type gathering struct{ ends []ioqueue.Cell }

func (g *gathering) play(s *reactor.Slice[part]) fiber.Outcome {
	if len(g.ends) == 0 {
		return s.Return(nil, nil)
	}
	return s.Await(g)
}

// Begin waits for the next copy that has not ended.
func (g *gathering) Begin(s *scheduler.Scheduler[part], _ *part) {
	for ; len(g.ends) > 0; g.ends = g.ends[1:] {
		if end := &g.ends[0]; !end.Completed() {
			if err := end.Park(s.ArmOn(end.Source()), 0); err != nil {
				panic(fmt.Sprintf("selvage: a copy cannot be waited for: %v", err)) // it is open
			}
			return
		}
	}
}

// End has nothing to hand over.
func (*gathering) End(*scheduler.Scheduler[part], *part, fiber.Ticket, fiber.Result) {}
