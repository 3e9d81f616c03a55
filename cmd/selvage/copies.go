package main

import (
	"cmp"
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
// workers of a reactor. The error is that of the first copy, by number, that failed.
func (s *session) runCopies(program func(*session) error) error {
	env, _ := limits() // Validate has looked at them
	r, err := reactor.New(reactor.Config{Workers: s.Workers, InFlight: env.InFlight, StallAfter: env.StallAfter, Drain: env.Drain}, copyMachine{})
	if err != nil {
		return err
	}
	copies, ends, errs := s.split(r), make([]ioqueue.Cell, s.Copies), make([]error, s.Copies)
	for n, c := range copies {
		if _, err := r.Scheduler().SpawnWith(c.runner, scheduler.Options{Cell: &ends[n]}); err != nil {
			return err
		}
		c.runner.begin(func() { errs[n] = program(c) })
	}
	// Every copy watches the context itself, and unwinds in its own slices.
	if _, err := r.Run(context.WithoutCancel(s.ctx), &joinCopies{ends}); err != nil {
		return err
	}
	return cmp.Or(errs...)
}

// split makes the sessions of the copies, whose writes to the streams do not interleave.
func (s *session) split(r *reactor.Reactor[task]) []*session {
	out := s.io.shared()
	copies := make([]*session, s.Copies)
	for n := range copies {
		copies[n] = &session{runCmd: s.runCmd, ctx: s.ctx, io: out, allowed: s.allowed, number: n + 1, runner: newCopyRunner(&r.Scheduler().Core)}
		copies[n].log = copies[n].newLog()
	}
	return copies
}

// shared are the streams for several goroutines.
func (s streams) shared() streams {
	lock := new(sync.Mutex)
	return streams{&shared{lock, s.out}, &shared{lock, s.err}}
}

// shared is an output stream of several copies, or of the islands of a program.
type shared struct {
	lock *sync.Mutex
	to   io.Writer
}

func (w *shared) Write(p []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.to.Write(p)
}

// task is the payload of a fiber of the reactor: a copy, or the main fiber, which joins them.
type task interface {
	runSlice(s *reactor.Slice[task]) fiber.Outcome
}

// copyMachine is the reactor's Machine.
type copyMachine struct{}

// Group: no two copies share anything.
func (copyMachine) Group(*task) reactor.Group { return 0 }

func (copyMachine) Resume(s *reactor.Slice[task]) fiber.Outcome { return (*s.Data).runSlice(s) }

// joinCopies is the main fiber: it waits for the copies.
type joinCopies struct{ ends []ioqueue.Cell }

func (g *joinCopies) runSlice(s *reactor.Slice[task]) fiber.Outcome {
	if len(g.ends) == 0 {
		return s.Return(nil, nil)
	}
	return s.Await(g)
}

// Begin waits for the next copy that has not ended.
func (g *joinCopies) Begin(s *scheduler.Scheduler[task], _ *task) {
	for ; len(g.ends) > 0; g.ends = g.ends[1:] {
		if end := &g.ends[0]; !end.Completed() {
			if err := end.Park(s.ArmOn(end.Source()), 0); err != nil {
				panic(fmt.Sprintf("selvage: a copy cannot be waited for: %v", err)) // it is open
			}
			return
		}
	}
}

// End has nothing to do.
func (*joinCopies) End(*scheduler.Scheduler[task], *task, fiber.Ticket, fiber.Result) {}
