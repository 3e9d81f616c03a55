package explore_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// script is a program of fibers whose time slices end as its letters say: y yields, b blocks; w wakes the
// next fiber, if that is blocked, and then yields. After the last letter a fiber ends.
type script []string

// guest is the program on a scheduler whose host declares nothing.
func (p script) guest() explore.Program {
	return explore.Guest(explore.Bounds{}, func(ctx context.Context, cfg scheduler.Config, _ io.Writer) error {
		s := scheduler.New[int](cfg)
		at, ids := make([]int, len(p)), make([]fiber.ID, len(p))
		for i := range p {
			id, err := s.Spawn(i)
			if err != nil {
				return err
			}
			ids[i] = id.ID()
		}
		return s.Run(ctx, scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
			i := f.Data
			if at[i]++; at[i] > len(p[i]) {
				return fiber.Outcome{Kind: fiber.Done}
			}
			switch p[i][at[i]-1] {
			case 'b':
				return fiber.Outcome{Kind: fiber.Block, Reason: fiber.OnQueue()}
			case 'w':
				if next := ids[(i+1)%len(p)]; s.Inspect().State(next) == fiber.Blocked {
					s.Wake(next)
				}
			}
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}))
	})
}

// count is how many schedules the specification allows from a state on.
func (p script) count(c spec.Config, s spec.State, at [3]int) (schedules int) {
	for f := range p {
		if a := (spec.Action{Kind: spec.Pick, A: uint8(f)}); c.Can(&s, a) {
			schedules += p.slice(c, c.Apply(s, a), at, f)
		}
	}
	return max(schedules, 1)
}

func (p script) slice(c spec.Config, s spec.State, at [3]int, f int) int {
	do := func(kinds ...spec.Kind) {
		for _, k := range kinds {
			s = c.Apply(s, spec.Action{Kind: k})
		}
	}
	at[f]++
	if at[f] > len(p[f]) {
		do(spec.Exit)
		return p.count(c, s, at)
	}
	switch p[f][at[f]-1] {
	case 'b':
		do(spec.ArmQueue, spec.Block)
	case 'y':
		do(spec.Yield)
	case 'w':
		s = c.Apply(s, spec.Action{Kind: spec.WakeID, A: uint8((f + 1) % len(p))})
		do(spec.Yield)
	}
	// The ticket of a wait that has ended is of no more use to this host.
	for x := range p {
		if s.Contexts[x].Seq == spec.NoNumber {
			s.Contexts[x].Hands = [spec.MaxTickets]spec.Hand{}
		}
	}
	return p.count(c, s, at)
}

// The schedules of a program are the paths of the specification with a free choice. A host that
// declares nothing has no independent steps, so DPOR runs them all too.
func TestTheSchedulesAreThePathsOfTheSpecification(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := script(rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("ybw")), 0, 3, 3), 2, 3).Draw(t, "program"))
		c := spec.Config{Fibers: len(p), Tickets: 1, Free: true}
		require.NoError(t, c.Valid())
		s := c.Init()
		for f := range p {
			s = c.Apply(s, spec.Action{Kind: spec.Spawn, A: uint8(f)})
		}
		want := p.count(c, s, [3]int{})
		for _, strategy := range []explore.Strategy{explore.Depth(explore.Unbounded), explore.DPOR()} {
			r, err := explore.Search(context.Background(), passed(p.guest()), explore.Options{Strategy: strategy, Runs: want + 1})
			require.NoError(t, err)
			require.NotEmpty(t, r.Complete, "%q", p)
			require.Equal(t, want, r.Runs, "%q, %s", p, r.Complete)
		}
	})
}

// passed is a program all of whose runs pass, so that a search runs them all.
func passed(p explore.Program) explore.Program {
	return func(d *explore.Decisions) (explore.Ending, error) {
		_, err := p(d)
		return explore.Ending{Kind: explore.Passed}, err
	}
}
