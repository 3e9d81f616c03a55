package main

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// copyRunner runs one copy on the workers of the reactor. To the reactor the copy is one fiber,
// whose payload is the copy's own scheduler with all that belongs to it (decision 0039). The
// copy's code has a goroutine of its own, because the copy's loop is in the middle of a call when
// its time slice ends. That goroutine runs only while a worker waits for it, or while it sleeps.
//
// To the copy's scheduler the runner is a clock, which sleeps without a worker, and a device,
// which yields the worker at a poll after the slice was preempted.
type copyRunner struct {
	*wallclock.Clock
	core   *scheduler.Core // the reactor's
	turn   chan *reactor.Slice[task]
	why    chan reason       // why the copy gives up its worker
	asleep chan fiber.Ticket // of the reactor's fiber, when the copy may sleep
	slice  *reactor.Slice[task]
}

// reason is why a slice of a copy ends.
type reason uint8

const (
	yields reason = iota
	sleeps
	returned
)

func newCopyRunner(core *scheduler.Core) *copyRunner {
	return &copyRunner{
		Clock: wallclock.New(), core: core,
		turn: make(chan *reactor.Slice[task]), why: make(chan reason), asleep: make(chan fiber.Ticket, 1),
	}
}

// begin starts the copy's goroutine, which waits for its first slice.
func (p *copyRunner) begin(copy func()) {
	go func() {
		p.slice = <-p.turn
		copy()
		p.why <- returned // to the worker that waits for it; nothing follows
	}()
}

// Serve yields the worker if the slice was preempted. The copy's scheduler calls it at each poll.
func (p *copyRunner) Serve([]fiber.Token) {
	if p.slice.Preempted() {
		p.why <- yields
		p.slice = <-p.turn
	}
}

// Wait sleeps without a worker: the slice ends with a sleepOp.
func (p *copyRunner) Wait(ctx context.Context, until fiber.Time, bell <-chan struct{}) {
	p.why <- sleeps
	ticket := <-p.asleep
	p.Clock.Wait(ctx, until, bell)
	_ = p.core.Inbox().Deliver(ticket, fiber.Result{Code: fiber.OK}) // no error: the inbox is open while a copy runs, and has room for one command of each
	p.slice = <-p.turn
}

// runSlice is called by a worker, which waits while the copy runs on its own goroutine.
func (p *copyRunner) runSlice(s *reactor.Slice[task]) fiber.Outcome {
	p.turn <- s
	switch <-p.why {
	case yields:
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	case sleeps:
		return s.Await(sleepOp{p})
	}
	return s.Return(nil, nil)
}

// sleepOp is the operation with which a slice ends when the copy sleeps.
type sleepOp struct{ *copyRunner }

// Begin gives the copy the ticket by which it wakes its fiber of the reactor, and lets it sleep.
func (n sleepOp) Begin(s *scheduler.Scheduler[task], _ *task) {
	n.asleep <- s.Arm(fiber.OnQueue().FromOutside())
}

// End has nothing to do: the copy knows why it woke up.
func (sleepOp) End(*scheduler.Scheduler[task], *task, fiber.Ticket, fiber.Result) {}
