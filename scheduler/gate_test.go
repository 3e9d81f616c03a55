package scheduler

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// startState is one state of the executing context. What it leaves behind is the
// trampoline on top, if there is one.
type startState struct {
	name string
	set  func(g *testScheduler) (top fiber.TrampolineID)
}

func noneRuns(g *testScheduler) fiber.TrampolineID { return 0 }

func rootRuns(g *testScheduler) fiber.TrampolineID { g.spawnRunning(Options{}); return 0 }

func rootArmed(g *testScheduler) fiber.TrampolineID {
	g.spawnRunning(Options{})
	g.ArmForQueue()
	return 0
}

func rootLatched(g *testScheduler) fiber.TrampolineID {
	g.spawnRunning(Options{})
	g.delivers(g.ArmForQueue(), fiber.Latched)
	return 0
}

func calleeRuns(g *testScheduler) fiber.TrampolineID { g.spawnRunning(Options{}); return g.call() }

func calleeArmed(g *testScheduler) fiber.TrampolineID {
	top := calleeRuns(g)
	g.Arm(fiber.OnQueue())
	return top
}

func calleeLatched(g *testScheduler) fiber.TrampolineID {
	top := calleeRuns(g)
	g.delivers(g.Arm(fiber.OnQueue()), fiber.Latched)
	return top
}

// The same for a fiber that nests, and with its call pinned.

func nestedRuns(g *testScheduler) fiber.TrampolineID {
	g.spawnRunning(Options{Nests: true})
	return g.call()
}

func nestedArmed(g *testScheduler) fiber.TrampolineID {
	top := nestedRuns(g)
	g.Arm(fiber.OnQueue())
	return top
}

func nestedLatched(g *testScheduler) fiber.TrampolineID {
	top := nestedRuns(g)
	g.delivers(g.Arm(fiber.OnQueue()), fiber.Latched)
	return top
}

func nestedWaits(g *testScheduler) fiber.TrampolineID {
	top := nestedRuns(g)
	g.pin(fiber.OnQueue())
	return top
}

func nestedWoken(g *testScheduler) fiber.TrampolineID {
	top := nestedWaits(g)
	g.Wake(top.ID())
	return top
}

var startStates = []startState{ // the columns of the table
	{"nobody", noneRuns}, {"root", rootRuns}, {"root armed", rootArmed}, {"root latched", rootLatched},
	{"callee", calleeRuns}, {"callee armed", calleeArmed}, {"callee latched", calleeLatched},
	{"nested", nestedRuns}, {"nested armed", nestedArmed}, {"nested latched", nestedLatched},
	{"pinned", nestedWaits}, {"pinned and woken", nestedWoken},
}

// attempt is one operation of the executing context or of the loop.
type attempt struct {
	op Op
	do func(g *testScheduler, top fiber.TrampolineID)
}

var attempts = map[string]attempt{
	"ScheduleNext":  {op.Next, func(g *testScheduler, _ fiber.TrampolineID) { g.ScheduleNext() }},
	"Poll":          {op.Poll, func(g *testScheduler, _ fiber.TrampolineID) { g.Poll() }},
	"Idle":          {op.Idle, func(g *testScheduler, _ fiber.TrampolineID) { g.Steps().IdleVerdictWithReport() }},
	"YieldCurrent":  {op.Yield, func(g *testScheduler, _ fiber.TrampolineID) { g.YieldCurrent() }},
	"expire":        {op.Yield, func(g *testScheduler, _ fiber.TrampolineID) { g.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired}) }},
	"Arm":           {op.Arm, func(g *testScheduler, _ fiber.TrampolineID) { g.Arm(fiber.OnQueue(), new(fakeSource)) }},
	"ArmForQueue":   {op.Arm, func(g *testScheduler, _ fiber.TrampolineID) { g.ArmForQueue() }},
	"BlockForQueue": {op.Arm, func(g *testScheduler, _ fiber.TrampolineID) { g.BlockForQueue() }},
	"Disarm":        {op.Disarm, func(g *testScheduler, _ fiber.TrampolineID) { g.Disarm() }},
	"Block":         {op.Block, func(g *testScheduler, _ fiber.TrampolineID) { g.Block() }},
	"Claim":         {op.Claim, func(g *testScheduler, _ fiber.TrampolineID) { g.Claim() }},
	"Submit":        {op.Submit, func(g *testScheduler, _ fiber.TrampolineID) { g.Ops().Submit() }},
	"Mask":          {op.Mask, func(g *testScheduler, _ fiber.TrampolineID) { g.Unwind().Mask() }},
	"Unmask":        {op.Unmask, func(g *testScheduler, _ fiber.TrampolineID) { g.Unwind().Unmask() }},
	"Own":           {op.Own, func(g *testScheduler, _ fiber.TrampolineID) { g.Attachments().Own(new(ownerHook)) }},
	"Disown":        {op.Own, func(g *testScheduler, _ fiber.TrampolineID) { g.Attachments().Disown(new(ownerHook)) }},
	"SetResult":     {op.Exit, func(g *testScheduler, _ fiber.TrampolineID) { g.SetResult(1, nil) }},
	"KillCurrent":   {op.Exit, func(g *testScheduler, _ fiber.TrampolineID) { g.KillCurrent() }},
	"Exit":          {op.Exit, func(g *testScheduler, _ fiber.TrampolineID) { g.Exit(1, nil) }},
	"done":          {op.Exit, func(g *testScheduler, _ fiber.TrampolineID) { g.Finish(fiber.Outcome{Kind: fiber.Done}) }},
	"Acquire":       {op.Acquire, func(g *testScheduler, _ fiber.TrampolineID) { _, _ = g.AcquireTrampoline() }},
	"YieldPinned":   {op.Pump, func(g *testScheduler, _ fiber.TrampolineID) { g.Calls().YieldPinned() }},
	"Unpin":         {op.Pump, func(g *testScheduler, _ fiber.TrampolineID) { g.Calls().Unpin() }},
	"FailPinned":    {op.Pump, func(g *testScheduler, _ fiber.TrampolineID) { _ = g.Calls().FailPinned() }},
	"Pump":          {op.Pump, func(g *testScheduler, _ fiber.TrampolineID) { _ = g.Calls().Pump(MachineFunc[int](nil)) }},
	"PumpTurn":      {op.Pump, func(g *testScheduler, _ fiber.TrampolineID) { g.Calls().PumpTurn(MachineFunc[int](nil)) }},
	"Lend":          {op.Lend, func(g *testScheduler, _ fiber.TrampolineID) { g.Moves().Lend() }},
	"Recall":        {op.Lend, func(g *testScheduler, _ fiber.TrampolineID) { id, _ := g.Current().Regular(); g.Moves().Recall(id) }},
	"Release":       {op.Release, func(g *testScheduler, top fiber.TrampolineID) { g.ReleaseTrampoline(top) }},
}

// The rule each operation breaks in each state, or yes where it is allowed.
const attemptTable = `
	operation      nobody      root        armed       latched     callee      c-armed     c-latched   nested         n-armed        n-latched      pinned      p-woken
	ScheduleNext   yes         I2          I2          I2          I2          I2          I2          I2             I2             I2             yes         yes
	Poll           yes         I2          I2          I2          I2          I2          I2          I2             I2             I2             yes         yes
	Idle           yes         I2          I2          I2          I2          I2          I2          I2             I2             I2             yes         yes
	YieldCurrent   I2          yes         I13         I13         yes         I13         I13         NESTED-FRAMES  NESTED-FRAMES  NESTED-FRAMES  I2          I2
	expire         -           yes         I13         I13         yes         I13         I13         NESTED-FRAMES  NESTED-FRAMES  NESTED-FRAMES  -           -
	Arm            I13         yes         I13         I13         yes         I13         I13         yes            I13            I13            I13         I13
	ArmForQueue    I13         yes         I13         I13         yes         I13         I13         yes            I13            I13            I13         I13
	BlockForQueue  I13         yes         I13         I13         yes         I13         I13         yes            I13            I13            I13         I13
	Disarm         I13         I13         yes         yes         I13         yes         yes         I13            yes            yes            I13         I13
	Block          I2          I13         yes         yes         I13         yes         yes         I13            yes            yes            I2          I2
	Claim          EXECUTING   yes         EXECUTING   EXECUTING   yes         EXECUTING   EXECUTING   yes            EXECUTING      EXECUTING      EXECUTING   EXECUTING
	Submit         I8          yes         yes         yes         yes         yes         yes         yes            yes            yes            I8          I8
	Mask           EXECUTING   yes         yes         yes         yes         yes         yes         yes            yes            yes            EXECUTING   EXECUTING
	Unmask         CALL-ORDER  CALL-ORDER  CALL-ORDER  CALL-ORDER  CALL-ORDER  CALL-ORDER  CALL-ORDER  CALL-ORDER     CALL-ORDER     CALL-ORDER     CALL-ORDER  CALL-ORDER
	Own            EXECUTING   yes         yes         yes         yes         yes         yes         yes            yes            yes            EXECUTING   EXECUTING
	Disown         EXECUTING   yes         yes         yes         yes         yes         yes         yes            yes            yes            EXECUTING   EXECUTING
	SetResult      I2          yes         yes         yes         yes         yes         yes         yes            yes            yes            I2          I2
	KillCurrent    I2          yes         I13         I13         I2          I13         I13         I2             I2             I2             I2          I2
	Exit           I2          yes         I13         I13         I2          I13         I13         I2             I2             I2             I2          I2
	done           -           yes         I13         I13         I2          I13         I13         I2             I2             I2             -           -
	Acquire        I13         yes         I13         I13         yes         I13         I13         yes            I13            I13            I13         I13
	Release        I4          I4          I13         I13         yes         I13         I13         yes            I4             I4             I4          I4
	Lend           I2          yes         I2          I2          yes         I2          I2          I2             I2             I2             I2          I2
	Recall         I2          I2          I2          I2          I2          I2          I2          I2             I2             I2             I2          I2
	YieldPinned    I2          I2          I2          I2          I2          I2          I2          yes            I2             I2             I2          I2
	Unpin          I2          I2          I2          I2          I2          I2          I2          I2             I2             I2             I2          yes
	FailPinned     CALL-ORDER  I2          I2          I2          I2          I2          I2          I2             I2             I2             yes         CALL-ORDER
	Pump           I2          I2          I2          I2          I2          I2          I2          I2             I2             I2             yes         yes
	PumpTurn       I2          I2          I2          I2          I2          I2          I2          yes            I2             I2             I2          I2
`

func TestEveryOperationIsAllowedOrRefusedByNameInEverySituation(t *testing.T) {
	rows := 0
	for line := range strings.Lines(strings.TrimSpace(attemptTable)) {
		cells := strings.Fields(line)
		d, known := attempts[cells[0]]
		if !known {
			continue
		}
		rows++
		for column, want := range cells[1:] {
			s := startStates[column]
			t.Run(cells[0]+"/"+s.name, func(t *testing.T) { checkAttempt(t, d, s, want) })
		}
	}
	if rows != len(attempts) {
		t.Fatalf("the table has %d of %d operations", rows, len(attempts))
	}
}

func checkAttempt(t *testing.T, d attempt, s startState, want string) {
	g := newTestScheduler(t, Config{})
	top := s.set(g)
	do := func() { d.do(g, top) }
	switch want {
	case "yes":
		if e := refusal(do); e != nil {
			t.Fatal(e)
		}
		g.Inspect().Verify()
	case "-": // Finish needs a fiber before it can look at the outcome
		g.refuses("I2", op.Finish, do)
	default:
		g.refuses(want, d.op, do)
	}
}

// targets are fibers, each in one state, and the op that may be aimed at it.
var targets = map[string]func(g *testScheduler) fiber.ID{
	"dead": func(g *testScheduler) fiber.ID {
		id := g.spawnRunning(Options{})
		g.KillCurrent()
		return id.ID()
	},
	"never was": func(g *testScheduler) fiber.ID { return fiber.NewRegularID(7, 1).ID() },
	"none":      func(g *testScheduler) fiber.ID { return 0 },
	"runnable":  func(g *testScheduler) fiber.ID { return g.spawnReady(Options{}).ID() },
	"running":   func(g *testScheduler) fiber.ID { return g.spawnRunning(Options{}).ID() },
	"blocked":   func(g *testScheduler) fiber.ID { return g.spawnBlocked(Options{}, fiber.OnQueue()).ID },
	"caller": func(g *testScheduler) fiber.ID {
		root := g.spawnRunning(Options{}).ID()
		g.call()
		g.blockIn(fiber.OnQueue())
		return root
	},
	"middle callee": func(g *testScheduler) fiber.ID {
		g.spawnRunning(Options{})
		middle := g.call().ID()
		g.call()
		g.blockIn(fiber.OnQueue())
		return middle
	},
	"blocked callee": func(g *testScheduler) fiber.ID { calleeRuns(g); return g.blockIn(fiber.OnQueue()).ID },
	"running callee": func(g *testScheduler) fiber.ID { return calleeRuns(g).ID() },
	"released callee": func(g *testScheduler) fiber.ID {
		top := calleeRuns(g)
		g.ReleaseTrampoline(top)
		return top.ID()
	},
}

func TestWakeIsForBlockedFibersThatDoNotWaitForTheirOwnCallee(t *testing.T) {
	allowed := map[string]fiber.State{"blocked": fiber.Runnable, "blocked callee": fiber.Running}
	for name, set := range targets {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			id := set(g)
			if after, may := allowed[name]; may {
				g.Wake(id)
				g.is(id, after)
				return
			}
			g.refuses("I3", op.Wake, func() { g.Wake(id) })
		})
	}
}

func TestCancelAndKillTakeAnyLivingFiberAndSayWhenItIsGone(t *testing.T) {
	for name, set := range targets {
		gone := map[string]bool{"dead": true, "never was": true, "none": true, "released callee": true}[name]
		for verb, act := range map[string]func(*testScheduler, fiber.ID) error{
			"cancel": func(g *testScheduler, id fiber.ID) error { return g.Cancel(id, nil) },
			"kill":   func(g *testScheduler, id fiber.ID) error { return g.Kill(id, nil) },
		} {
			t.Run(verb+" "+name, func(t *testing.T) {
				g := newTestScheduler(t, Config{})
				id := set(g)
				before := g.Inspect().Dump()
				err := act(g, id)
				if gone != (err == ErrGone) {
					t.Fatalf("%s: %v", verb, err)
				}
				if gone && g.Inspect().Dump() != before {
					t.Fatal("a fiber that is gone was changed")
				}
			})
		}
	}
}
