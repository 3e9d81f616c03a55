package proptest

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
)

// place is where the machines of a model of panics live.
type place interface {
	// machine is that of the context that executes.
	machine() *panicstate.State
	begin(kind panicstate.Kind, value any, site string)
	recover(frame int) (any, bool)
	// reset ends the fiber, which must end as it is said, and begins the next.
	reset(outcome panicstate.Panic, panicked bool) error
	enter() error
	leave()
	// noEntry and noExit try a native call where no code runs that could make it, and to
	// end one, or the fiber, where that cannot be. They are to be refused.
	noEntry() error
	noExit() error
}

// bare is machines alone, and a host that hands on what ended a call.
type bare struct {
	machines [2]panicstate.State
	calling  int
}

func (b *bare) machine() *panicstate.State { return &b.machines[b.calling] }

func (b *bare) begin(kind panicstate.Kind, value any, site string) {
	b.machine().Begin(kind, value, site)
}

func (b *bare) recover(frame int) (any, bool) { return b.machine().Recover(frame) }

func (b *bare) reset(outcome panicstate.Panic, panicked bool) error {
	if p, ok := b.machine().Outcome(); ok != panicked || p != outcome {
		return fmt.Errorf("the fiber ends with %v (%v), not with %v", p, ok, outcome)
	}
	b.machine().Reset()
	return nil
}

func (b *bare) enter() error {
	b.calling = 1
	return nil
}

func (b *bare) leave() {
	p, panicked := b.machine().Outcome()
	b.machine().Reset()
	b.calling = 0
	if panicked {
		b.machine().Adopt(p)
	}
}

func (b *bare) noEntry() error { return nil }
func (b *bare) noExit() error  { return nil }

// scheduled is the machines of a fiber of a real scheduler, and of its native calls.
type scheduled struct {
	*scheduler.Scheduler[struct{}]
	call fiber.TrampolineID
}

func newScheduled() place {
	s := &scheduled{Scheduler: scheduler.New[struct{}](scheduler.Config{Number: schedulerNumber})}
	s.spawn()
	return s
}

func (s *scheduled) spawn() {
	_, _ = s.SpawnWith(struct{}{}, scheduler.Options{Frames: true})
	s.Poll()
	s.ScheduleNext()
}

func (s *scheduled) machine() *panicstate.State { return s.Unwind().Panics() }

func (s *scheduled) begin(kind panicstate.Kind, value any, site string) {
	s.Unwind().BeginPanic(kind, value, site)
}

func (s *scheduled) recover(frame int) (any, bool) { return s.Unwind().Recover(frame) }

func (s *scheduled) reset(outcome panicstate.Panic, panicked bool) error {
	_, err := s.KillCurrent()
	s.spawn()
	if !panicked {
		return err
	}
	var ended *scheduler.PanicError
	if !errors.As(err, &ended) || ended.Value != outcome.Value || ended.Site != outcome.Site {
		return fmt.Errorf("the fiber ends with %v, not with %v", err, outcome)
	}
	return nil
}

func (s *scheduled) enter() (err error) {
	s.call, err = s.AcquireTrampoline()
	return err
}

func (s *scheduled) leave() { s.ReleaseTrampoline(s.call) }

// noEntry: a Fatal panic is told at every host call; where another one is unwound the host
// has lost count of what runs.
func (s *scheduled) noEntry() error {
	doomed := s.Unwind().Panics().Phase() == panicstate.UnwindingFatal
	_, err := s.acquires()
	var broken *scheduler.ContractError
	var fatal *scheduler.PanicError
	switch {
	case doomed && !errors.As(err, &fatal):
		return fmt.Errorf("a native call with a Fatal panic in force: %v", err)
	case !doomed && (!errors.As(err, &broken) || broken.Rule.String() != "I7"):
		return fmt.Errorf("a native call from an unwind: %v", err)
	}
	return nil
}

func (s *scheduled) acquires() (id fiber.TrampolineID, err error) {
	defer caught(&err)
	return s.AcquireTrampoline()
}

func (s *scheduled) noExit() error {
	var broken *scheduler.ContractError
	if err := s.exits(); !errors.As(err, &broken) || broken.Rule.String() != "I2" {
		return fmt.Errorf("the end of a fiber in a native call: %v", err)
	}
	return nil
}

func (s *scheduled) exits() (err error) {
	defer caught(&err)
	_, err = s.KillCurrent()
	return err
}
