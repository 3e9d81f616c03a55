package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
)

var operations = []observedCase{
	{"operations", Config{MaxTokens: 3}, func(g *testScheduler) {
		g.spawnRunning(Options{})
		early, awaited, given := g.submit(), g.submit(), g.submit()
		g.Ops().Submit() // one too many
		g.Ops().Complete(early, ioqueue.Completion{})
		g.Ops().Complete(early, ioqueue.Completion{})
		g.Ops().Complete(999, ioqueue.Completion{})
		g.Arm(fiber.OnIO(early))
		g.Block()
		g.next()
		g.Ops().Completion(early)
		cell := new(ioqueue.Cell)
		_ = g.Ops().Attach(given, cell)
		_ = g.Ops().Attach(given, cell)
		g.BlockForIO(awaited)
		g.Ops().Complete(given, ioqueue.Completion{})
		g.Ops().Complete(awaited, ioqueue.Completion{})
		g.next()
		g.Claim()
		g.Ops().Completion(awaited)
		g.BlockForIO(g.submit())
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Submit f0.1 token 16777217
		Submit f0.1 token 16777218
		Submit f0.1 token 16777219
		Complete token 16777217 "early"
		Complete token 16777217 "duplicate"
		Complete token 999 "unknown"
		Arm f0.1 wait 1 on io(16777217) "latched"
		Block f0.1 "requeued"
		ScheduleNext f0.1
		Submit token 16777219 "attached"
		Arm f0.1 wait 2 on io(16777218)
		Block f0.1 "parked"
		Complete token 16777219 "attached"
		Complete token 16777218 "woken"
		ScheduleNext f0.1
		Submit f0.1 token 33554434
		Arm f0.1 wait 3 on io(33554434)
		Block f0.1 "parked"`},
	{"operations that are given up", Config{}, func(g *testScheduler) {
		id := g.spawnRunning(Options{})
		late, orphan := g.submit(), g.submit()
		g.blockIn(fiber.OnIO(late).WithDeadline(10))
		g.at(10)
		g.wakesWith(id, fiber.TimedOut)
		g.Ops().Complete(late, ioqueue.Completion{})
		g.KillCurrent()
		g.Ops().Complete(orphan, ioqueue.Completion{})
		g.Ops().Cancellations(nil)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Submit f0.1 token 16777217
		Submit f0.1 token 16777218
		Arm f0.1 wait 1 on io(16777217) by 10ns
		Block f0.1 "parked"
		expire f0.1
		ScheduleNext f0.1
		Complete token 16777217 "late"
		Exit f0.1
		Complete token 16777218 "late"`},
	{"a place that was kept", Config{MaxTokens: 1}, func(g *testScheduler) {
		g.spawnRunning(Options{})
		tok := g.submit()
		g.YieldCurrent()
		id := g.spawnRunning(Options{})
		t := g.queues()
		g.Ops().Complete(tok, ioqueue.Completion{})
		g.Ops().Completion(tok)
		g.mount(id)
		g.Claim()
		g.Ops().SubmitReserved(fiber.Ticket{})
		g.Ops().SubmitReserved(t)
		g.Ops().SubmitReserved(t)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Submit f0.1 token 16777217
		YieldCurrent f0.1
		Spawn f1.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		Arm f1.1 wait 1 on queue
		Block f1.1 "parked"
		Complete token 16777217 "early"
		Deliver f1.1 wait 1 "woken"
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		Submit f1.1 token 33554433`},
}

var nativeCalls = []observedCase{
	{"native calls", Config{MaxTrampolines: 2}, func(g *testScheduler) {
		g.spawnRunning(Options{})
		bottom, top := g.call(), g.call()
		g.AcquireTrampoline() // one too many
		g.delivers(g.blockIn(fiber.OnQueue()), fiber.Woken)
		g.next()
		g.delivers(g.Arm(fiber.OnQueue()), fiber.Latched)
		g.Block()
		g.YieldCurrent()
		g.next()
		g.ReleaseTrampoline(top)
		again := g.call()
		g.Unwind().BeginPanic(panicstate.Recoverable, 1, "")
		g.ReleaseTrampoline(again)
		g.ReleaseTrampoline(bottom)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		AcquireTrampoline t0.1
		AcquireTrampoline t1.1
		Arm t1.1 wait 1 on queue
		Block t1.1 "parked"
		Deliver t1.1 wait 1 "woken"
		ScheduleNext f0.1
		Arm t1.1 wait 2 on queue
		Deliver t1.1 wait 2 "latched"
		Block t1.1 "resumed"
		YieldCurrent f0.1
		ScheduleNext f0.1
		ReleaseTrampoline t1.1
		AcquireTrampoline t1.2
		ReleaseTrampoline t1.2
		ReleaseTrampoline t0.1`},
	{"native calls in which a panic is under way", Config{}, func(g *testScheduler) {
		g.spawnRunning(Options{Name: "with a record"})
		spare, top := g.call(), g.call()
		g.ReleaseTrampoline(top)
		g.ReleaseTrampoline(spare)
		bottom := g.call()
		g.Unwind().Panics()
		top = g.call()
		g.Unwind().BeginPanic(panicstate.Recoverable, 1, "")
		refusal(func() { g.call() })
		g.Unwind().Panics().NextDefer() // the callee has none: its panic passes on
		refusal(func() { g.call() })
		g.ReleaseTrampoline(top)
		refusal(func() { g.call() })
		g.Unwind().Panics().NextDefer()
		g.ReleaseTrampoline(bottom)
		refusal(func() { g.call() })
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		AcquireTrampoline t0.1
		AcquireTrampoline t1.1
		ReleaseTrampoline t1.1
		ReleaseTrampoline t0.1
		AcquireTrampoline t0.2
		AcquireTrampoline t1.2
		ReleaseTrampoline t1.2
		ReleaseTrampoline t0.2`},
	{"a chain that is cancelled", Config{}, func(g *testScheduler) {
		root := g.spawnRunning(Options{}).ID()
		g.call()
		g.blockIn(fiber.OnQueue())
		g.Cancel(root, nil)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		AcquireTrampoline t0.1
		Arm t0.1 wait 1 on queue
		Block t0.1 "parked"
		Cancel f0.1`},
	{"pumps", Config{}, func(g *testScheduler) {
		g.spawnRunning(Options{Nests: true})
		g.call()
		g.Calls().YieldPinned()
		g.Calls().Unpin()
		t := g.pin(fiber.OnQueue())
		g.delivers(t, fiber.Woken)
		g.Calls().Unpin()
		g.pin(fiber.OnQueue())
		_ = g.Calls().FailPinned()
	}, `
		Spawn f0.1 with false false true false
		ScheduleNext f0.1
		AcquireTrampoline t0.1
		Pump t0.1 "yields"
		Pump f0.1 "unpinned"
		Arm t0.1 wait 1 on queue
		Block t0.1 "pinned"
		Deliver t0.1 wait 1 "woken"
		Pump f0.1 "unpinned"
		Arm t0.1 wait 2 on queue
		Block t0.1 "pinned"
		Pump t0.1 "deadlock"`},
	{"a pump that is cut short", Config{}, func(g *testScheduler) {
		g.spawnRunning(Options{Nests: true})
		g.call()
		g.spawnReady(Options{})
		g.pin(fiber.OnQueue())
		func() {
			defer func() { _ = recover() }()
			_ = g.Calls().Pump(MachineFunc[int](func(*Scheduler[int], *Fiber[int]) fiber.Outcome {
				g.call()
				g.call()
				g.ArmForQueue()
				panic("the host's")
			}))
		}()
	}, `
		Spawn f0.1 with false false true false
		ScheduleNext f0.1
		AcquireTrampoline t0.1
		Spawn f1.1
		Arm t0.1 wait 1 on queue
		Block t0.1 "pinned"
		ScheduleNext f1.1
		AcquireTrampoline t1.1
		AcquireTrampoline t2.1
		Arm t2.1 wait 2 on queue
		Disarm t2.1
		ReleaseTrampoline t2.1
		ReleaseTrampoline t1.1
		Exit f1.1
		Pump t0.1 "aborted"
		Pump f0.1 "unpinned"`},
	{"slices with others", Config{}, func(g *testScheduler) {
		id := g.spawnRunning(Options{})
		g.Moves().Lend()
		g.Moves().Recall(id)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Lend f0.1 "lent"
		Lend f0.1 "recalled"`},
}

var journeys = []observedCase{
	{"moves", Config{}, func(g *testScheduler) {
		g.spawnReady(Options{Movable: true})
		g.spawnRunning(Options{Movable: true})
		g.Unwind().Mask()
		g.Unwind().Mask()
		g.YieldCurrent()
		for _, m := range g.Moves().MoveOutLast(2, nil) {
			_, _ = g.Moves().MoveIn(m)
		}
		g.Moves().MoveOut(g.spawnReady(Options{}))
		m, _ := g.Moves().MoveOut(g.spawnReady(Options{Movable: true}))
		_ = m
	}, `
		Spawn f0.1 with false false false true
		Spawn f1.1 with false false false true
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		Mask f1.1
		Mask f1.1
		YieldCurrent f1.1
		Move f1.1 "out"
		Move f0.1 "out"
		Move f0.2 masks 2 "in"
		Move f1.2 "in"
		Spawn f2.1
		Spawn f3.1 with false false false true
		Move f3.1 "out"`},
}
