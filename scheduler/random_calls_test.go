package scheduler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/callfuzz"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/quota"
)

// A host that makes any calls in any order, with IDs, tickets and tokens of its own and of others,
// never breaks the scheduler, and each refusal says what to do, where.
func TestRandomCallsAreCarriedOutOrRefusedByName(t *testing.T) {
	worlds := long.Cases(2_000, 10_000)
	if invariants.On {
		worlds /= 10
	}
	made, refused := map[string]int{}, map[string]int{}
	for seed := range uint64(worlds) {
		s := New[int](Config{MaxFibers: 8, MaxTokens: 4, MaxTimers: 8, MaxTrampolines: 4, MaxCommands: 8,
			Site: func(id fiber.RegularID) string { return "site of " + id.String() }})
		w := randomWorld(s)
		w.Made, w.Refused = made, refused
		if err := w.Play(rand.New(rand.NewPCG(seed, 1)), 150); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if v := s.Inspect().Poisoned(); v != nil {
			t.Fatalf("seed %d: calls of a host poisoned the scheduler: %v", seed, v)
		}
		s.Inspect().Verify()
	}
	for name, n := range made {
		// Only a deadlock under a pump lets FailPinned succeed. The checked build has too few worlds.
		if n == refused[name] && !strings.HasSuffix(name, "FailPinned") && !invariants.On {
			t.Errorf("all %d calls of %s were refused: the worlds are of no use to it", n, name)
		}
	}
}

func randomWorld(s *Scheduler[int]) *callfuzz.World {
	cell := new(ioqueue.Cell)
	source := &fakeSource{}
	outer := s.Attachments().NewGroup(nil, "outer", quota.Limits{Fibers: 6, Timers: 4, Operations: 3, Steps: 50})
	inner := s.Attachments().NewGroup(outer, "inner", quota.Limits{Fibers: 3, Timers: 2, Operations: 1, Time: 5})
	return &callfuzz.World{
		Receivers: []any{s, s.Ops(), s.Unwind(), s.Attachments(), s.Calls(), s.Moves(), s.Inspect(), s.Inbox(), s.Steps(), s.Choices(), outer, inner},
		Skip:      []string{"Run", "Pump", "PumpTurn", "WaitForInput", "Begin", "Do", "Shutdown"}, // they wait, or run the test's code
		Often:     []string{"SpawnWith", "Poll", "ScheduleNext", "AcquireTrampoline", "Submit", "BlockForIO", "Block", "YieldPinned", "Unpin"},
		Stock: []any{
			fiber.OnQueue(), fiber.Until(3), fiber.OnQueue().WithDeadline(2), fiber.Outcome{Kind: fiber.Done},
			fiber.Outcome{Kind: fiber.Block}, fiber.Outcome{Kind: fiber.Panic}, fiber.Outcome{Kind: fiber.TimesliceExpired}, fiber.BlockOn(fiber.Until(1)),
			Options{}, Options{Frames: true}, Options{Nests: true}, Options{Movable: true}, Options{Name: "named"},
			Options{Group: outer}, Options{Group: inner, Frames: true}, outer, inner, quota.Limits{}, quota.Steps, quota.Timers, int64(7),
			fiber.Result{Code: fiber.OK}, fiber.Result{Code: 99}, source, cell, "site", 3, fiber.Time(2),
			panicstate.Recoverable, panicstate.Exit, panicstate.Fatal, panicstate.Kind(9), errors.New("boom"),
			ioqueue.Completion{Value: "value"}, context.Background(),
			func(fiber.Token) error { return nil }, func(fiber.Token) error { return errors.New("not begun") },
			fiber.NewRegularID(0, 1), fiber.NewRegularID(70, 3), fiber.NewRegularID(1, 1).ID(), fiber.NewTrampolineID(0, 1),
			fiber.Ticket{ID: fiber.NewRegularID(0, 1).ID(), Seq: 1}, fiber.Token(77),
			&testAlarm{at: 4}, &ownerHook{told: new([]string)}, &testLink{told: new([]string)}, &countingDevice{core: &s.Core}, &ioqueue.Completion{N: 3}, new(fiber.Anchor),
		},
		Judge: func(name string, refused error) error { return judged(s, refused) },
	}
}

// judged says what a refusal leaves out: the rule, the operation, the fix, or the fiber with its site.
func judged(s *Scheduler[int], refused error) error {
	var violation *InvariantError
	var broken *ContractError
	var phase *panicstate.PhaseError
	switch {
	case errors.As(refused, &violation):
		return fmt.Errorf("a call of a host violates an invariant: %w", refused)
	case errors.As(refused, &phase):
		return nil
	case !errors.As(refused, &broken):
		return fmt.Errorf("no contract error: %w", refused)
	case broken.Fix == "" || broken.Op.String() == "":
		return fmt.Errorf("a refusal without operation or fix: %w", refused)
	}
	root, _ := s.Current().Regular()
	if text := broken.Error(); root != 0 && !strings.Contains(text, "site of "+root.String()) {
		return fmt.Errorf("a refusal that does not say where: %s", text)
	}
	return nil
}
