package proptest

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// stage is a real scheduler for the models of the waiting objects, in which every fiber
// that does not wait may act next. The scheduler has an order; the stage mounts whoever
// is to act.
type stage struct {
	*scheduler.Scheduler[uint8]
	clock  *scheduler.VirtualClock
	fibers []player
	step   int
}

// player is what the stage knows of one fiber of a model.
type player struct {
	id        fiber.ID
	ticket    fiber.Ticket // of its last wait
	cancelled bool
}

// quitTag comes with the delivery that ends a wait without any of its cases.
const quitTag = 99

func newStage(fibers int) *stage {
	clock := scheduler.NewVirtualClock()
	return &stage{
		Scheduler: scheduler.New[uint8](scheduler.Config{Number: schedulerNumber, Clock: clock}),
		clock:     clock,
		fibers:    make([]player, fibers),
	}
}

// odd steps take one of two ways to the same end, even steps the other.
func (s *stage) odd() bool { return s.step%2 == 1 }

func (s *stage) spawn(f uint8) error {
	id, err := s.Spawn(f)
	s.fibers[f] = player{id: id.ID()}
	return err
}

// mount makes the fiber current; it is not blocked. Whoever runs now yields.
func (s *stage) mount(f uint8) error {
	for range 2 * len(s.fibers) {
		if s.Current() == s.fibers[f].id {
			return nil
		}
		s.turn()
	}
	return fmt.Errorf("f%d is never mounted", f)
}

func (s *stage) turn() {
	if s.Current() != 0 {
		s.YieldCurrent()
	}
	if s.ScheduleNext() == nil && s.Poll() {
		s.ScheduleNext()
	}
}

// kill ends the fiber from outside, or has it end itself, if it can.
func (s *stage) kill(f uint8) error {
	id := s.fibers[f].id
	if s.Inspect().State(id) != fiber.Blocked && s.odd() {
		if err := s.mount(f); err != nil {
			return err
		}
	}
	if s.Current() == id {
		s.Exit(nil, nil)
		return nil
	}
	return s.killed(f)
}

// killed ends the fiber from outside.
func (s *stage) killed(f uint8) error {
	id := s.fibers[f].id
	if err := s.Kill(id, nil); err != nil {
		return err
	}
	for range 2 * len(s.fibers) {
		if s.Inspect().State(id) == fiber.Dead {
			return nil
		}
		s.turn() // it is reaped when its turn comes
	}
	return fmt.Errorf("f%d never dies", f)
}

// giveUp ends the wait of the fiber by a cancel, the first time, or by whoever else has
// its ticket.
func (s *stage) giveUp(f uint8) error {
	p := &s.fibers[f]
	if s.odd() && !p.cancelled && s.Inspect().State(p.id) == fiber.Blocked {
		p.cancelled = true
		return s.Cancel(p.id, nil)
	}
	if d := s.Deliver(p.ticket, fiber.Result{Code: fiber.Failed, Value: quitTag}); d != fiber.Woken {
		return notWoken{d}
	}
	return nil
}

// tooLate is nil if the last ticket of the fiber, which does not wait, ends nothing.
func (s *stage) tooLate(f uint8) error {
	if s.fibers[f].ticket.IsZero() {
		return nil
	}
	late := notWoken{}
	if err := s.giveUp(f); !errors.As(err, &late) || late.Delivery != fiber.Stale && late.Delivery != fiber.Gone {
		return fmt.Errorf("a ticket that is spent: %w", err)
	}
	return nil
}

// notWoken is a delivery that was refused.
type notWoken struct{ fiber.Delivery }

func (e notWoken) Error() string { return "the delivery is " + e.String() }

// wanted is nil if the refusal is the right one.
func wanted(err, want error) error {
	if !errors.Is(err, want) {
		return fmt.Errorf("%v, want %w", err, want)
	}
	return nil
}

// apply delivers what an object decided: its ticket must be that of a wait.
func (s *stage) apply(wakes ...fiber.Wakeup) error {
	for _, w := range wakes {
		if w.IsZero() {
			continue
		}
		if d := s.Apply(w); d != fiber.Woken {
			return fmt.Errorf("%v is woken: %v", w.Ticket, d)
		}
	}
	return nil
}

// block parks the fiber that has armed the wait.
func (s *stage) block(f uint8, t fiber.Ticket) error {
	s.fibers[f].ticket = t
	if how := s.Block(); how != scheduler.Parked {
		return fmt.Errorf("f%d blocks: %v", f, how)
	}
	return nil
}

// claim has the fiber run and ask how its wait ended.
func (s *stage) claim(f uint8) (fiber.Result, error) {
	if err := s.mount(f); err != nil {
		return fiber.Result{}, err
	}
	t, res := s.Claim()
	if t != s.fibers[f].ticket {
		return res, fmt.Errorf("f%d claims %v, not %v", f, t, s.fibers[f].ticket)
	}
	return res, nil
}

// match compares what the scheduler says of the fiber.
func (s *stage) match(f uint8, dead, waits bool) error {
	got := s.Inspect().State(s.fibers[f].id)
	if (got == fiber.Dead) != dead || (got == fiber.Blocked) != waits {
		return fmt.Errorf("f%d is %v; want dead %v, blocked %v", f, got, dead, waits)
	}
	return nil
}
