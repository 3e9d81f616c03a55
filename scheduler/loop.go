package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
)

// Machine is the one thing a host must be able to do: run a fiber for a slice and say
// how the slice ended. Resume is called with f current. If it has armed a wait it
// returns a Block outcome, for whatever reason it armed.
type Machine[T any] interface {
	Resume(s *Scheduler[T], f *Fiber[T]) fiber.Outcome
}

// MachineFunc is a Machine that is a function.
type MachineFunc[T any] func(s *Scheduler[T], f *Fiber[T]) fiber.Outcome

// Resume calls the function.
func (m MachineFunc[T]) Resume(s *Scheduler[T], f *Fiber[T]) fiber.Outcome { return m(s, f) }

// Finish ends the slice that ScheduleNext began as its outcome says, and tells
// whether the fiber is still current: then it is to be resumed at once (a frame
// change, a block that was interrupted). A doomed fiber without frames dies here
// whatever the outcome (DESIGN §2.2).
func (c *Core) Finish(o fiber.Outcome) (resume bool) {
	h := c.cur
	if h.word&stateMask != running {
		c.refuse(OpFinish)
	}
	if h.has(reapable) && !h.has(chained) {
		c.finishDoomed(h)
		return false
	}
	if o.Kind == fiber.Block && h.word&(armed|chained) == armed { // nearly always
		return !c.Block().LeavesCPU()
	}
	switch o.Kind {
	case fiber.FrameChanged, fiber.OSR:
		return true
	case fiber.TimesliceExpired:
		c.YieldCurrent()
		return false
	case fiber.Block:
		return c.finishBlock(o.Reason)
	case fiber.Panic:
		c.finishPanic(h)
		return false
	case fiber.Done:
		c.KillCurrent()
		return false
	}
	c.refuseAs(OpFinish, "contract", "outcome %d is none: return one of the OutcomeKind constants", o.Kind)
	return false
}

// finishPanic notes that the fiber ends by a panic, whatever it has set as its result.
func (c *Core) finishPanic(h *header) {
	c.enter(OpExit)
	c.mustBeAbleToExit(h)
	c.keepSide(h).panicked = true
	c.leave()
	c.KillCurrent()
}

// finishDoomed: a result that is latched was assigned to a fiber that will never
// collect it; its death says so to the source (I12).
func (c *Core) finishDoomed(h *header) {
	switch {
	case h.has(latched):
		c.enter(OpFinish)
		if c.watch != nil {
			c.catchUp()
			c.report(Transition{Op: OpDisarm, ID: c.Current()})
		}
		h.clear(latched)
		c.leave()
	case h.has(armed):
		c.Disarm()
	}
	c.KillCurrent()
}

func (c *Core) finishBlock(r fiber.Reason) bool {
	if c.cur.bars() {
		c.refuseAs(OpFinish, "contract", "native calls of a fiber that nests stand on the stack that drives the scheduler: its slice ends after they have returned; Block and Pump in them")
	}
	if !c.cur.has(armed | latched) {
		c.Arm(r)
	}
	return !c.Block().LeavesCPU()
}

// SetMain names the fiber whose end ends the run: the others are killed then, in
// slot order (DESIGN §3). Without one, Run goes on until every fiber has ended.
func (f Attachments) SetMain(id fiber.RegularID) error {
	return f.note(id.ID(), func(s *side) { s.main = true })
}

// Run drives the fibers with m until all have ended (nil), until they are deadlocked
// (*DeadlockError, with the fibers left as they are), until one ends by a panic that
// fails the run, or until ctx ends: then every fiber is killed, has unwound, and that
// panic or ctx's error is returned. The calling goroutine owns the scheduler meanwhile.
func (s *Scheduler[T]) Run(ctx context.Context, m Machine[T]) error {
	if len(s.pins) > 0 {
		s.refuseAs(OpPump, "contract", "a native call is pinned: Pump until it may go on; Run is the outermost loop")
	}
	l := s.Steps().Begin(ctx)
	defer l.Close()
	for {
		l.CheckStop()
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			for s.Finish(m.Resume(s, f)) {
			}
			if l.Stopping() {
				break
			}
		}
		if s.ended() != nil || s.Poll() {
			continue
		}
		if over, err := l.Sleep(); over {
			return err
		}
	}
}

// stop kills every fiber, and lets none begin that the dying might spawn.
func (c *Core) stop(cause error) {
	c.stopping = true
	c.Steps().KillAll(cause)
}

// Close refuses commands from other goroutines from now on, carries out those that
// were posted before, and cancels nothing: KillAll what should end and Run until it
// has, or its Handles wait for ever.
func (c *Core) Close() {
	c.inbox.close()
	c.inbox.drain(c)
}

// Park parks the goroutine that owns the scheduler, as Run does when Idle says Waiting:
// until the instant, until another goroutine posts a command, or until ctx ends. It is
// for a host that owns the loop; Poll comes next.
func (f Steps) WaitForInput(ctx context.Context, until fiber.Time) {
	c := f.core
	if !c.comes(until) {
		c.sleep(ctx, until)
	}
}

// comes stays awake a little, if the clock does so, and tells whether something has come.
func (c *Core) comes(until fiber.Time) bool {
	return c.vigil != nil && c.vigil.Spin(until, c.came)
}

func (c *Core) sleep(ctx context.Context, until fiber.Time) {
	for _, l := range c.lookouts {
		until = l.SleepUntil(until)
	}
	for _, l := range c.lookouts {
		l.PrepareSleep()
	}
	b := c.inbox
	b.asleep.Store(true)
	if !b.pending() {
		c.clock.Wait(ctx, until, b.bell)
	}
	b.asleep.Store(false)
}
