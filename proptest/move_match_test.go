package proptest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/move"
)

func (g *moveGuide) match(m *move.State) error {
	for f := range uint8(g.bounds.Fibers) {
		if err := g.matchFiber(m, f); err != nil {
			return err
		}
	}
	for i, s := range g.at {
		if err := g.matchScheduler(s, &m.Schedulers[i]); err != nil {
			return fmt.Errorf("scheduler %d: %w", i, err)
		}
	}
	return nil
}

var moveStates = [...]fiber.State{move.Ready: fiber.Runnable, move.Runs: fiber.Running, move.Waits: fiber.Blocked, move.Joins: fiber.Blocked}

// matchFiber: a fiber lives where the model has it, and its end has been reported at home once,
// or not yet.
func (g *moveGuide) matchFiber(m *move.State, f uint8) error {
	p, where := &g.fibers[f], g.bounds.Where(m, f)
	if p.home == nil {
		return nil
	}
	if where != move.None {
		got := g.at[where].Inspect().State(p.id.ID())
		if slot, ok := g.at[where].Fiber(p.id); !ok || slot.Data != f || got != moveStates[m.Fibers[f].Status] {
			return fmt.Errorf("f%d is %v, want %+v", f, got, m.Fibers[f])
		}
	}
	told := 0
	if m.Fibers[f].Status == move.Gone {
		told = 1
	}
	if p.ended != told || p.cell.Completed() != (told == 1) {
		return fmt.Errorf("home was told %d times of the end of f%d, which is %+v", p.ended, f, m.Fibers[f])
	}
	return p.matchName(&m.Fibers[f], where != move.None && g.at[where] == p.home)
}

// matchName: at home the name of a fiber that has moved out says so, and that of the dead does not.
func (p *traveller) matchName(m *move.Fiber, here bool) error {
	if here && !m.Kept {
		return nil
	}
	err := p.home.Attachments().SetName(p.name.ID(), "")
	if errors.Is(err, scheduler.ErrMovedOut) != m.Kept || !errors.Is(err, scheduler.ErrGone) {
		return fmt.Errorf("by its name at home %+v is refused with %w", *m, err)
	}
	return nil
}

// matchScheduler also compares the sum of I12. As many live there as in the model: no fiber
// lives in both.
func (g *moveGuide) matchScheduler(s *scheduler.Scheduler[uint8], m *move.Scheduler) error {
	var queue []uint8
	for id := range s.Inspect().Ready() {
		f, _ := s.Fiber(id)
		queue = append(queue, f.Data)
	}
	current := uint8(move.None)
	if id, ok := s.Current().Regular(); ok {
		f, _ := s.Fiber(id)
		current = f.Data
	}
	n := s.Inspect().Counts()
	switch {
	case !slices.Equal(queue, m.Ready()) || current != m.Current:
		return fmt.Errorf("ready are %v and f%d runs, want %v and f%d", queue, current, m.Ready(), m.Current)
	case uint8(s.Inspect().Live()) != m.Live || n.Spawned+n.MovedIn != uint64(m.Live)+n.Ended+n.MovedOut:
		return fmt.Errorf("%d live, want %d; counts %+v", s.Inspect().Live(), m.Live, n)
	}
	s.Inspect().Verify()
	return nil
}
