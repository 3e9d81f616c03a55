package trampoline_test

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// solo is a scheduler with one fiber, which runs, and its calls.
func solo(t testing.TB, cfg scheduler.Config, o scheduler.Options) (*scheduler.Scheduler[int], *trampoline.Pool[int]) {
	t.Helper()
	s := scheduler.New[int](cfg)
	if _, err := s.SpawnWith(0, o); err != nil || !s.Poll() || s.ScheduleNext() == nil {
		t.Fatalf("no fiber runs (%v)", err)
	}
	return s, trampoline.New(s, scheduler.MachineFunc[int](nil))
}

func TestThePoolIsBoundedAndARefusalLeavesNothingBehind(t *testing.T) {
	s, calls := solo(t, scheduler.Config{MaxTrampolines: 2}, scheduler.Options{})
	var entered []trampoline.Reentry[int]
	for range 2 {
		call, err := calls.Reenter()
		if err != nil {
			t.Fatal(err)
		}
		entered = append(entered, call)
	}
	if _, err := calls.Reenter(); !errors.Is(err, scheduler.ErrTooManyTrampolines) {
		t.Errorf("a third call: %v", err)
	}
	if calls.InFlight() != 2 || s.Inspect().LiveTrampolines() != 2 {
		t.Errorf("%d calls in flight, %d trampolines", calls.InFlight(), s.Inspect().LiveTrampolines())
	}
	entered[1].Leave()
	entered[0].Leave()
	if calls.InFlight() != 0 || calls.Check() != nil {
		t.Errorf("%d calls in flight, %v", calls.InFlight(), calls.Check())
	}
}

func TestCallsThatWereNotLeftAreNamed(t *testing.T) {
	_, calls := solo(t, scheduler.Config{}, scheduler.Options{})
	var leaked []fiber.TrampolineID
	for range 3 {
		call, err := calls.Reenter()
		if err != nil {
			t.Fatal(err)
		}
		leaked = append(leaked, call.ID())
	}
	var leak *trampoline.LeakError
	if err := calls.Check(); !errors.As(err, &leak) || len(leak.Calls) != 3 || leak.Calls[2] != leaked[2] {
		t.Errorf("%v", err)
	}
}

// An abandoned fiber is not a leak, and what native code began without the pool is not its own.
func TestALeakReportNamesTheCallsThatWereNotLeftAndNoOthers(t *testing.T) {
	s, calls := solo(t, scheduler.Config{}, scheduler.Options{})
	if _, err := s.AcquireTrampoline(); err != nil {
		t.Fatal(err)
	}
	leaked, err := calls.Reenter()
	if err != nil {
		t.Fatal(err)
	}
	left, err := calls.Reenter()
	if err != nil {
		t.Fatal(err)
	}
	left.Leave()
	var leak *trampoline.LeakError
	if err := calls.Check(); !errors.As(err, &leak) || len(leak.Calls) != 1 || leak.Calls[0] != leaked.ID() {
		t.Errorf("%v, want only %v", err, leaked.ID())
	}
	if calls.InFlight() != 1 {
		t.Errorf("%d calls in flight", calls.InFlight())
	}
}

func TestACallIsLeftOnceAndFromTheTopDown(t *testing.T) {
	s, calls := solo(t, scheduler.Config{}, scheduler.Options{Nests: true})
	lower, _ := calls.Enter(trampoline.Nesting, nil)
	upper, _ := calls.Enter(trampoline.Nesting, nil)
	refused := func(leave func()) {
		t.Helper()
		defer func() {
			var e *scheduler.ContractError
			if err, _ := recover().(error); !errors.As(err, &e) || e.Rule.String() != "I4" {
				t.Errorf("not refused: %v", err)
			}
		}()
		leave()
	}
	refused(lower.Leave)
	upper.Leave()
	refused(upper.Leave)
	again, _ := calls.Enter(trampoline.Nesting, nil) // in the slot of upper
	refused(upper.Leave)
	again.Leave()
	lower.Leave()
	if err := calls.Check(); err != nil {
		t.Error(err)
	}
	s.Inspect().Verify()
}

// Native code without frames does not unwind, so the outermost call takes those above it along.
func TestALeftReentryTakesTheCallsAboveItAlong(t *testing.T) {
	s, calls := solo(t, scheduler.Config{}, scheduler.Options{})
	lower, _ := calls.Reenter()
	for range 3 {
		_, _ = calls.Reenter()
	}
	s.Arm(fiber.OnQueue())
	lower.Leave()
	if err := calls.Check(); err != nil || s.Inspect().Executing() != s.Current() {
		t.Errorf("%v; %v executes", err, s.Inspect().Executing())
	}
	s.Inspect().Verify()
}

// rock is a stack on foreign frames.
type rock struct{}

func (rock) Allows(trampoline.Way) bool { return false }
func (rock) Park(fiber.Outcome)         { panic("a rock was parked") }

func TestAStackThatCanNeitherParkNorNestIsRefusedBeforeAnythingHappens(t *testing.T) {
	for way, o := range map[trampoline.Way]scheduler.Options{trampoline.Parking: {Frames: true}, trampoline.Nesting: {Nests: true}} {
		s, calls := solo(t, scheduler.Config{}, o)
		before := s.Inspect().Dump()
		if _, err := calls.Enter(way, rock{}); !errors.Is(err, trampoline.ErrForeignStack) {
			t.Errorf("%v: %v", way, err)
		}
		if after := s.Inspect().Dump(); after != before {
			t.Errorf("the refused call changed something:\n%s\nis now\n%s", before, after)
		}
	}
}

func TestWaysHaveNames(t *testing.T) {
	for way, name := range map[trampoline.Way]string{
		0: "none", trampoline.ExitAndReenter: "exit and re-enter", trampoline.Parking: "parking",
		trampoline.Nesting: "nesting", trampoline.Nesting + 1: "invalid way",
	} {
		if way.String() != name {
			t.Errorf("%d is %q", way, way)
		}
	}
}

func TestACallThatIsOverOrWasNeverBegunIsRefused(t *testing.T) {
	_, calls := solo(t, scheduler.Config{}, scheduler.Options{})
	over, _ := calls.Reenter()
	over.Leave()
	callee := trampoline.CalleeFunc(func() fiber.Outcome { t.Error("the callee ran"); return done })
	var none trampoline.Reentry[int]
	var call trampoline.Call[int]
	for name, do := range map[string]func(){
		"Run of a call that is over":   func() { _, _ = over.Run(callee) },
		"Leave of a call that is over": over.Leave,
		"Run of none":                  func() { _, _ = none.Run(callee) },
		"Leave of none":                none.Leave,
		"Suspend of none":              func() { _ = call.Suspend(expired) },
		"Leave of no call":             call.Leave,
	} {
		func() {
			defer func() {
				var e *scheduler.ContractError
				if err, _ := recover().(error); !errors.As(err, &e) || e.Rule.String() != "I4" {
					t.Errorf("%s: %v", name, err)
				}
			}()
			do()
		}()
	}
	if none.InFlight() || none.ID() != 0 {
		t.Error("the zero Reentry is in flight")
	}
}
