package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

var lives = []observedCase{
	{"births", Config{MaxFibers: 5}, func(g *testScheduler) {
		g.spawnReady(Options{})
		g.spawnReady(Options{Front: true})
		g.spawnReady(Options{Frames: true})
		g.spawnReady(Options{Nests: true})
		g.spawnReady(Options{Movable: true, Name: "of no interest"})
		g.Spawn(0) // one too many
	}, `
		Spawn f0.1
		Spawn f1.1 with true false false false
		Spawn f2.1 with false true false false
		Spawn f3.1 with false false true false
		Spawn f4.1 with false false false true`},
	{"slices", Config{}, func(g *testScheduler) {
		g.spawnReady(Options{})
		g.spawnReady(Options{})
		g.next()
		g.YieldCurrent()
		g.next()
		g.Finish(fiber.Outcome{Kind: fiber.FrameChanged})
		g.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired})
		g.next()
	}, `
		Spawn f0.1
		Spawn f1.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		YieldCurrent f1.1`},
	{"ends", Config{}, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.KillCurrent()
		g.spawnRunning(Options{Name: "with a record"})
		g.Exit(1, nil)
		g.spawnRunning(Options{})
		g.Finish(fiber.Outcome{Kind: fiber.Done})
		g.spawnRunning(Options{})
		g.SetResult(nil, errWhy)
		g.Finish(fiber.Outcome{Kind: fiber.Panic})
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Exit f0.1
		Spawn f0.2
		ScheduleNext f0.2
		Exit f0.2
		Spawn f0.3
		ScheduleNext f0.3
		Exit f0.3
		Spawn f0.4
		ScheduleNext f0.4
		Exit f0.4`},
	{"masks", Config{}, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.Unwind().Mask()
		g.Unwind().Mask()
		g.Unwind().Unmask()
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Mask f0.1
		Mask f0.1
		Unmask f0.1`},
	{"panics", Config{}, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.Unwind().BeginPanic(panicstate.Recoverable, 1, "")
		g.Unwind().BeginPanic(panicstate.Fatal, 2, "")
		g.KillCurrent()
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		BeginPanic f0.1 "fatal"
		Exit f0.1`},
	{"possessions, which are not reported", Config{}, func(g *testScheduler) {
		g.spawnRunning(Options{})
		first, second := new(ownerHook), new(ownerHook)
		g.Attachments().Own(first)
		g.Attachments().Own(second)
		g.Attachments().Own(first)
		g.Attachments().Disown(first)
		g.Attachments().Disown(first)
		l := new(testLink)
		g.Attachments().Link(l)
		g.Attachments().Unlink(l)
		g.YieldCurrent()
		v, other := &testLock{ownerHook: ownerHook{told: new([]string)}}, &testLock{ownerHook: ownerHook{told: new([]string)}}
		id := g.spawnOwner(v, Options{})
		g.Attachments().Own(other)
		g.Attachments().Disown(v)
		g.Attachments().Disown(v)
		g.waitFor(id, v)
		g.Attachments().Own(v)
		g.Attachments().Own(v)
		g.waitFor(id, other)
		g.Attachments().Disown(v)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		Spawn f1.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		Arm f1.1 wait 1 on queue
		Block f1.1 "parked"
		Deliver f1.1 wait 1 "woken"
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		Arm f1.1 wait 2 on queue
		Block f1.1 "parked"
		Deliver f1.1 wait 2 "woken"
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		Arm f1.1 wait 3 on queue
		Block f1.1 "parked"
		Deliver f1.1 wait 3 "woken"
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1`},
}

var orders = []observedCase{
	{"cancels", Config{Grace: 60}, func(g *testScheduler) {
		g.Cancel(g.spawnBlocked(Options{}, fiber.OnQueue()).ID, nil)
		g.Cancel(77, nil)
		id := g.spawnRunning(Options{}).ID()
		g.Cancel(id, nil)
		g.Cancel(id, nil)
		g.TakeInterrupt()
		g.TakeInterrupt()
		g.YieldCurrent()
		second := g.spawnRunning(Options{}).ID()
		g.Cancel(second, nil)
		g.ArmForQueue()
		g.Block()
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on queue
		Block f0.1 "parked"
		Cancel f0.1 grace 60
		Cancel f77.0 "gone"
		Spawn f1.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		Cancel f1.1 grace 60
		Cancel f1.1
		Cancel f1.1 "cancelled"
		YieldCurrent f1.1
		Spawn f2.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		YieldCurrent f1.1
		ScheduleNext f2.1
		Cancel f2.1 grace 60
		Arm f2.1 wait 2 on queue
		Block f2.1 "cancelled"`},
	{"kills", Config{}, func(g *testScheduler) {
		g.Kill(g.spawnBlocked(Options{}, fiber.OnQueue()).ID, nil)
		g.Kill(77, nil)
		g.Kill(g.spawnReady(Options{}).ID(), nil)
		g.Poll()
		id := g.spawnRunning(Options{Frames: true}).ID()
		g.Kill(id, nil)
		g.TakeInterrupt()
		g.ArmForQueue()
		g.Block()
		g.KillCurrent()
		g.spawnRunning(Options{})
		g.spawnReady(Options{})
		g.Steps().KillAll(nil)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on queue
		Block f0.1 "parked"
		Kill f0.1
		Kill f77.0 "gone"
		Spawn f0.2
		Kill f0.2
		reap f0.2
		Spawn f0.3 with false true false false
		ScheduleNext f0.3
		Kill f0.3
		Arm f0.3 wait 2 on queue
		Block f0.3 "killed"
		Exit f0.3
		Spawn f0.4
		ScheduleNext f0.4
		Spawn f1.1
		Kill f0.4
		Kill f1.1`},
	{"the doomed one's slice ends", Config{}, func(g *testScheduler) {
		for _, latch := range []bool{false, true} {
			id := g.spawnRunning(Options{})
			t := g.ArmForQueue()
			if latch {
				g.delivers(t, fiber.Latched)
			}
			g.Kill(id.ID(), nil)
			g.Finish(fiber.BlockOn(fiber.OnQueue()))
		}
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on queue
		Kill f0.1
		Disarm f0.1
		Exit f0.1
		Spawn f0.2
		ScheduleNext f0.2
		Arm f0.2 wait 2 on queue
		Deliver f0.2 wait 2 "latched"
		Kill f0.2
		Disarm f0.2
		Exit f0.2`},
	{"links", Config{}, func(g *testScheduler) {
		first, second := g.spawnBlocked(Options{}, fiber.OnQueue()).ID, g.spawnBlocked(Options{}, fiber.OnQueue()).ID
		g.spawnRunning(Options{Link: &testLink{told: new([]string), orders: []fiber.Order{{ID: first}, {ID: second, Kill: true}, {ID: 77, Kill: true}}}})
		g.KillCurrent()
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on queue
		Block f0.1 "parked"
		Spawn f1.1
		ScheduleNext f1.1
		Arm f1.1 wait 2 on queue
		Block f1.1 "parked"
		Spawn f2.1
		ScheduleNext f2.1
		Exit f2.1
		Cancel f0.1
		Kill f1.1
		Kill f77.0 "gone"`},
}
