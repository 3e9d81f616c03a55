package scheduler

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
)

// overlappingCalls are the operations that a Source, a hook or another goroutine could,
// wrongly, call while another operation is in progress.
func overlappingCalls(g *testScheduler, victim fiber.ID) map[Op]func() {
	return map[Op]func(){
		op.Spawn:    func() { _, _ = g.Spawn(0) },
		op.Arm:      func() { g.Arm(fiber.OnQueue()) },
		op.Disarm:   func() { g.Disarm() },
		op.Wake:     func() { g.Wake(victim) },
		op.Deliver:  func() { g.Deliver(fiber.Ticket{ID: victim}, ok) },
		op.Cancel:   func() { _ = g.Cancel(victim, nil) },
		op.Kill:     func() { _ = g.Kill(victim, nil) },
		op.Exit:     func() { _, _ = g.KillCurrent() },
		op.Acquire:  func() { _, _ = g.AcquireTrampoline() },
		op.Release:  func() { g.ReleaseTrampoline(0) },
		op.Claim:    func() { g.Claim() },
		op.Submit:   func() { _, _ = g.Ops().Submit() },
		op.Complete: func() { g.Ops().Complete(0, ioqueue.Completion{}) },
		op.Mask:     g.Unwind().Mask,
		op.Unmask:   g.Unwind().Unmask,
		op.Poll:     func() { g.Poll() },
		op.Idle:     func() { g.Steps().IdleVerdictWithReport() },
		op.Finish:   func() { g.Finish(fiber.Outcome{Kind: fiber.FrameChanged + 50}) },
		op.Own:      func() { g.Attachments().Own(new(ownerHook)) },
		op.Pump:     g.Calls().YieldPinned,
		op.Lend:     func() { g.Moves().Lend() },
		op.Move:     func() { g.Moves().MoveOutLast(1, nil) },
		op.Panic:    func() { g.Unwind().Unrecovered() },
		op.Note:     func() { _ = g.Attachments().SetName(victim, "x") },
	}
}

// overlaps checks that the error names the rule and both operations.
func overlaps(t *testing.T, e *ContractError, intruder, outer Op) {
	t.Helper()
	if e == nil {
		t.Fatalf("%v inside %v went unseen", intruder, outer)
	}
	text := e.Error()
	if e.Rule.String() != "ONE-OWNER" || e.Op != intruder || !strings.Contains(text, intruder.String()+" was called inside "+outer.String()) {
		t.Fatalf("%v inside %v: %v", intruder, outer, e)
	}
}

func TestASourceThatCallsTheSchedulerIsNamedWithBothOperations(t *testing.T) {
	for outer, act := range map[Op]func(g *testScheduler, t fiber.Ticket){
		op.Deliver: func(g *testScheduler, t fiber.Ticket) { g.Deliver(t, ok) },
		op.Cancel:  func(g *testScheduler, t fiber.Ticket) { g.Cancel(t.ID, nil) },
		op.Kill:    func(g *testScheduler, t fiber.Ticket) { g.Kill(t.ID, nil) },
	} {
		t.Run(outer.String(), func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			b := new(fakeSource)
			other := g.spawnBlocked(Options{}, fiber.OnQueue())
			ticket := g.spawnBlocked(Options{}, fiber.OnQueue(), b)
			g.spawnRunning(Options{})
			seen := map[Op]*ContractError{}
			b.call = func() {
				for which, call := range overlappingCalls(g, other.ID) {
					seen[which] = refusal(call)
				}
			}
			act(g, ticket)
			for which := range overlappingCalls(g, other.ID) {
				overlaps(t, seen[which], which, outer)
			}
			g.is(other.ID, fiber.Blocked)
			g.YieldCurrent() // what the intruders tried has changed nothing
			g.Poll()
		})
	}
}

func TestHooksThatCallTheSchedulerAreRefused(t *testing.T) {
	var g *testScheduler
	var seen []*ContractError
	intrude := func() { seen = append(seen, refusal(func() { _, _ = g.Spawn(0) })) }
	g = newTestScheduler(t, Config{
		Lost:    func(fiber.Ticket) { intrude() },
		Dropped: func(fiber.Token, ioqueue.Completion) { intrude() },
	})
	b := new(fakeSource)
	id := g.spawnRunning(Options{Ended: func(any, error) { intrude() }})
	done := g.submit()
	g.Attachments().Own(hook(func() { intrude() }))
	g.Ops().Complete(done, ioqueue.Completion{})
	g.blockIn(fiber.OnQueue(), b)
	g.delivers(b.match(), fiber.Woken)
	g.Kill(id.ID(), nil)
	g.Poll() // Lost, OwnerDied, Dropped, Ended
	if len(seen) != 4 || g.Inspect().Live() != 0 {
		t.Fatalf("%d hooks were told, %d fibers live", len(seen), g.Inspect().Live())
	}
	for _, e := range seen {
		overlaps(t, e, op.Spawn, op.Poll)
	}
}

// hook is an OwnerHook that calls something.
type hook func()

func (h hook) OwnerDied(_ fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup { h(); return dst }

func TestASecondGoroutineInsideAnOperationIsRefused(t *testing.T) {
	g := newTestScheduler(t, Config{})
	entered, leave := make(chan struct{}), make(chan struct{})
	b := &fakeSource{call: func() { entered <- struct{}{}; <-leave }}
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue(), b)
	before := g.Inspect().Dump()
	seen := make(chan *ContractError)
	go func() {
		<-entered
		e := refusal(func() { _, _ = g.Spawn(0) })
		leave <- struct{}{}
		seen <- e
	}()
	g.delivers(ticket, fiber.Woken)
	overlaps(t, <-seen, op.Spawn, op.Deliver)
	if g.Inspect().Live() != 1 || g.Inspect().Dump() == before {
		t.Fatalf("the delivery did not go on:\n%s", g.Inspect().Dump())
	}
	g.is(ticket.ID, fiber.Runnable)
}

func TestACommandIsNotLostToAPollInsideAnOperation(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var e *ContractError
	carried := false
	b := &fakeSource{call: func() { e = refusal(func() { g.Poll() }) }}
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue(), b)
	g.Inbox().Do(func() { carried = true })
	g.delivers(ticket, fiber.Woken)
	overlaps(t, e, op.Poll, op.Deliver)
	if g.Poll(); !carried {
		t.Fatal("the command is lost")
	}
}

func TestVerifyInsideAnOperationIsAnOverlapNotAViolation(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var e *ContractError
	b := new(fakeSource)
	b.call = func() { e = refusal(g.Inspect().Verify) }
	g.delivers(g.spawnBlocked(Options{}, fiber.OnQueue(), b), fiber.Woken)
	overlaps(t, e, op.Idle, op.Deliver)
}

// otherCalls have no operation of their own, or share it with an overlapping call.
func otherCalls(g *testScheduler, other fiber.RegularID) map[string]func() {
	return map[string]func(){
		"Cell":             func() { _, _ = g.Attachments().Cell(other) },
		"ReportUnobserved": g.Steps().ReportUnobserved,
		"Interrupted":      func() { g.TakeInterrupt() },
		"Report":           func() { g.Inspect().Report() },
		"SetAlarm":         func() { g.Core.Attachments().SetAlarm(nil) },
		"SetResult":        func() { g.SetResult(nil, nil) },
		"Exit":             func() { _, _ = g.Core.Exit(nil, nil) },
		"KillAll":          func() { g.Steps().KillAll(nil) },
		"Recall":           func() { g.Moves().Recall(0) },
		"Link":             func() { g.Attachments().Link(&testLink{}) },
		"Finish":           func() { g.Finish(fiber.Outcome{Kind: fiber.Panic}) },
		"Unlink":           func() { g.Attachments().Unlink(nil) },
		"Unpin":            g.Calls().Unpin,
		"FailPinned":       func() { _ = g.Calls().FailPinned() },
		"Disown":           func() { g.Attachments().Disown(new(ownerHook)) },
		"Panics":           func() { g.Unwind().Panics() },
		"BeginPanic":       func() { g.Unwind().BeginPanic(panicstate.Recoverable, 1, "") },
		"Recover":          func() { g.Unwind().Recover(0) },
		"CheckTimers":      g.Steps().CheckTimers,
		"BeginBatch":       func() { g.Steps().BeginBatch() },
		"NextDeadline":     func() { g.Steps().NextDeadline() },
		"SubmitReserved":   func() { _, _ = g.Ops().SubmitReserved(fiber.Ticket{}) },
		"Attach":           func() { _ = g.Ops().Attach(0, nil) },
		"Completion":       func() { g.Ops().Completion(0) },
		"Cancellations":    func() { g.Ops().Cancellations(nil) },
		"MoveOut":          func() { _, _ = g.Moves().MoveOut(other) },
		"MoveIn":           func() { _, _ = g.Moves().MoveIn(Moved[int]{}) },
	}
}

func TestTheLesserCallsAreNotForSourcesEither(t *testing.T) {
	g := newTestScheduler(t, Config{})
	other := g.spawnReady(Options{})
	b := new(fakeSource)
	asleep := g.spawnBlocked(Options{}, fiber.OnQueue(), b)
	id := g.spawnRunning(Options{})
	g.Cancel(id.ID(), nil)
	for name, call := range otherCalls(g, other) {
		var e *ContractError
		b.call = func() { e = refusal(call) }
		g.Deliver(asleep, ok)
		if e == nil || !strings.Contains(e.Error(), "was called inside Deliver") {
			t.Errorf("%s inside a Deliver: %v", name, e)
		}
		g.YieldCurrent()
		asleep = g.wakeAndSleep(asleep, b)
		g.mount(id)
	}
	if code, _ := g.TakeInterrupt(); code != fiber.Cancelled {
		t.Errorf("it was told of its cancel before: %v", code)
	}
}

func TestTheStepsOfALoopAreNotForTheMiddleOfASlice(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	for name, step := range map[string]func(){
		"DrainCommands":    func() { g.Steps().DrainCommands() },
		"DrainCompletions": g.Steps().DrainCompletions,
		"DrainSubmissions": g.Steps().DrainSubmissions,
		"CheckTimers":      g.Steps().CheckTimers,
		"BeginBatch":       func() { g.Steps().BeginBatch() },
	} {
		if e := refusal(step); e == nil || e.Op != op.Poll {
			t.Errorf("%s while a fiber runs: %v", name, e)
		}
	}
}

func TestTheStepsOfALoopOneByOneAreAPoll(t *testing.T) {
	g := newTestScheduler(t, Config{})
	step := func() bool {
		g.Steps().DrainCommands()
		g.Steps().DrainCompletions()
		g.Steps().DrainSubmissions()
		g.Steps().CheckTimers()
		return g.Steps().BeginBatch()
	}
	if step() {
		t.Error("no fiber is ready, and it says that one is")
	}
	id := g.spawnReady(Options{})
	if !step() || g.ScheduleNext() == nil || g.Current() != id.ID() {
		t.Error("the one that is ready does not run")
	}
}

// wakeAndSleep runs the fiber of a ticket that was delivered, until it waits again.
func (g *testScheduler) wakeAndSleep(t fiber.Ticket, b *fakeSource) fiber.Ticket {
	id, _ := t.ID.Regular()
	g.wakesWith(id, fiber.OK)
	return g.blockIn(fiber.OnQueue(), b)
}

func TestARefusalLeavesTheSchedulerOpenForTheNextOperation(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 3 {
		g.refuses("I3", op.Wake, func() { g.Wake(0) })
	}
	g.spawnReady(Options{})
}
