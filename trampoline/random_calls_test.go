package trampoline_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/callfuzz"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// A host that has lost track of its fibers, their options and their panics makes native calls: each
// is carried out, gives an error, or is refused with what to do and where.
func TestRandomNativeCallsAreCarriedOutOrRefusedByName(t *testing.T) {
	made, refused := map[string]int{}, map[string]int{}
	for seed := range uint64(long.Cases(1_000, 5_000)) {
		s := scheduler.New[int](scheduler.Config{MaxFibers: 6, MaxTrampolines: 3,
			Site: func(id fiber.RegularID) string { return "site of " + id.String() }})
		calls := trampoline.New(s, scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome { return done }))
		w := &callfuzz.World{
			Receivers: []any{s, s.Unwind(), calls},
			Skip:      []string{"Run", "Nest"}, // they run fibers, which may wait for an operation that nothing completes
			Often:     []string{"SpawnWith", "Poll", "ScheduleNext", "Park", "Reenter", "Enter", "Fail"},
			Stock: []any{
				scheduler.Options{}, scheduler.Options{Frames: true}, scheduler.Options{Nests: true}, idle{}, rock{},
				trampoline.CalleeFunc(func() fiber.Outcome { return done }),
				trampoline.CalleeFunc(func() fiber.Outcome { return failed }),
				trampoline.CalleeFunc(func() fiber.Outcome { return s.Unwind().Fail("boom", "here") }),
				trampoline.Parking, trampoline.Nesting, trampoline.ExitAndReenter, trampoline.Way(9),
				fiber.OnQueue(), done, expired, failed, panicstate.Recoverable, panicstate.Exit, errEnough, "text", 2,
			},
			Judge: func(_ string, err error) error { return judged(s, err) },
			Made:  made, Refused: refused,
		}
		if err := w.Play(rand.New(rand.NewPCG(seed, 2)), 120); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if v := s.Inspect().Poisoned(); v != nil {
			t.Fatalf("seed %d: %v", seed, v)
		}
		s.Inspect().Verify()
	}
	for _, name := range []string{"Park", "Reenter", "Enter"} {
		if name = "*trampoline.Pool[int]." + name; made[name] == refused[name] || refused[name] == 0 {
			t.Errorf("of %d calls of %s %d were refused", made[name], name, refused[name])
		}
	}
}

// judged says what a refusal leaves out.
func judged(s *scheduler.Scheduler[int], refused error) error {
	var broken *scheduler.ContractError
	if errors.As(refused, new(*panicstate.PhaseError)) {
		return nil
	}
	if !errors.As(refused, &broken) || broken.Fix == "" {
		return fmt.Errorf("no contract error with a fix: %w", refused)
	}
	root, _ := s.Current().Regular()
	if root != 0 && !strings.Contains(broken.Error(), "site of "+root.String()) {
		return fmt.Errorf("a refusal that does not say where: %w", refused)
	}
	return nil
}
