package main

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// place is a copy's place among the workers. To the reactor a copy is one fiber: its own
// scheduler, with all that belongs to it, is the payload, which is with one worker at a time
// (decision 0039). The code of the copy stands on a goroutine of its own, because its loop
// is in the middle of a call when it is put aside; that goroutine runs only while a worker
// waits for it, or sleeps.
//
// To the copy's scheduler the place is a clock, which sleeps without a worker, and a
// device, which makes room at a poll when the slice has been long enough.
type place struct {
	*wallclock.Clock
	core   *scheduler.Core // the reactor's
	turn   chan *reactor.Slice[part]
	left   chan reason       // why the copy left its worker
	asleep chan fiber.Ticket // of the reactor's fiber, when the copy may sleep
	slice  *reactor.Slice[part]
}

// reason is why a slice of a copy ends.
type reason uint8

const (
	makesRoom reason = iota
	sleeps
	isOver
)

func newPlace(core *scheduler.Core) *place {
	return &place{
		Clock: wallclock.New(), core: core,
		turn: make(chan *reactor.Slice[part]), left: make(chan reason), asleep: make(chan fiber.Ticket, 1),
	}
}

// begin has the copy run when it has its first turn.
func (p *place) begin(copy func()) {
	go func() {
		p.slice = <-p.turn
		copy()
		p.left <- isOver // to the worker that waits for it: then this goroutine has ended
	}()
}

// Serve makes room if the slice is to end. It is called at each poll of the copy.
func (p *place) Serve([]fiber.Token) {
	if p.slice.Preempted() {
		p.left <- makesRoom
		p.slice = <-p.turn
	}
}

// Wait sleeps without a worker.
func (p *place) Wait(ctx context.Context, until fiber.Time, bell <-chan struct{}) {
	p.left <- sleeps
	ticket := <-p.asleep
	p.Clock.Wait(ctx, until, bell)
	_ = p.core.Inbox().Deliver(ticket, fiber.Result{Code: fiber.OK}) // it is open while a copy is there, and has room for a command of each
	p.slice = <-p.turn
}

// play has a worker wait while the copy runs.
func (p *place) play(s *reactor.Slice[part]) fiber.Outcome {
	p.turn <- s
	switch <-p.left {
	case makesRoom:
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	case sleeps:
		return s.Await(nap{p})
	}
	return s.Return(nil, nil)
}

// nap is the operation with which the slice of a copy that sleeps ends.
type nap struct{ *place }

// Begin lets the copy sleep, and whatever wakes it find the reactor's fiber.
func (n nap) Begin(s *scheduler.Scheduler[part], _ *part) {
	n.asleep <- s.Arm(fiber.OnQueue().FromOutside())
}

// End has nothing to hand over: the copy knows why it woke.
func (nap) End(*scheduler.Scheduler[part], *part, fiber.Ticket, fiber.Result) {}
