package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

func observedCases() []observedCase {
	return slices.Concat(lives, waits, deliveries, orders, operations, nativeCalls, journeys)
}

var waits = []observedCase{
	{"every kind of wait", Config{}, func(g *testScheduler) {
		b := new(fakeSource)
		g.spawnBlocked(Options{}, fiber.OnQueue())
		g.spawnBlocked(Options{}, fiber.OnQueue(), b)
		g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(70), b, new(plainSource))
		g.spawnBlocked(Options{}, fiber.OnQueue().FromOutside())
		g.spawnBlocked(Options{}, fiber.Until(80))
		g.spawnRunning(Options{})
		g.BlockForQueue()
		g.spawnRunning(Options{})
		t, _ := g.BlockOn(b)
		b.park(t)
		g.spawnRunning(Options{})
		g.ArmForQueue()
		g.Finish(fiber.BlockOn(fiber.OnQueue()))
		g.spawnRunning(Options{})
		g.Finish(fiber.BlockOn(fiber.OnQueue().WithDeadline(90)))
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
		Arm f2.1 wait 3 on queue by 70ns
		Block f2.1 "parked"
		Spawn f3.1
		ScheduleNext f3.1
		Arm f3.1 wait 4 on queue from outside
		Block f3.1 "parked"
		Spawn f4.1
		ScheduleNext f4.1
		Arm f4.1 wait 5 on timer(80ns)
		Block f4.1 "parked"
		Spawn f5.1
		ScheduleNext f5.1
		Arm f5.1 wait 6 on queue
		Block f5.1 "parked"
		Spawn f6.1
		ScheduleNext f6.1
		Arm f6.1 wait 7 on queue
		Block f6.1 "parked"
		Spawn f7.1
		ScheduleNext f7.1
		Arm f7.1 wait 8 on queue
		Block f7.1 "parked"
		Spawn f8.1
		ScheduleNext f8.1
		Arm f8.1 wait 9 on queue by 90ns
		Block f8.1 "parked"`},
	{"the same object again and again", Config{}, func(g *testScheduler) {
		b := new(fakeSource)
		id := g.spawnRunning(Options{})
		for range 3 {
			t, _ := g.BlockOn(b)
			b.park(t)
			g.delivers(b.match(), fiber.Woken)
			g.wakesWith(id, fiber.OK)
		}
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on queue
		Block f0.1 "parked"
		Deliver f0.1 wait 1 "woken"
		ScheduleNext f0.1
		Arm f0.1 wait 2 on queue
		Block f0.1 "parked"
		Deliver f0.1 wait 2 "woken"
		ScheduleNext f0.1
		Arm f0.1 wait 3 on queue
		Block f0.1 "parked"
		Deliver f0.1 wait 3 "woken"
		ScheduleNext f0.1`},
	{"second thoughts", Config{}, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.Arm(fiber.OnQueue().WithDeadline(50), new(fakeSource))
		g.Disarm()
		g.delivers(g.ArmForQueue(), fiber.Latched)
		g.Disarm()
		g.delivers(g.ArmForQueue(), fiber.Latched)
		g.Block()
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on queue by 50ns
		Disarm f0.1
		Arm f0.1 wait 2 on queue
		Deliver f0.1 wait 2 "latched"
		Disarm f0.1
		Arm f0.1 wait 3 on queue
		Deliver f0.1 wait 3 "latched"
		Block f0.1 "requeued"`},
	{"deadlines", Config{Grace: 30}, func(g *testScheduler) {
		g.spawnBlocked(Options{}, fiber.Until(10))
		g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(20), new(fakeSource))
		g.spawnRunning(Options{Frames: true})
		g.Unwind().Mask()
		g.Cancel(g.Current(), nil)
		g.blockIn(fiber.OnQueue())
		g.at(50)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on timer(10ns)
		Block f0.1 "parked"
		Spawn f1.1
		ScheduleNext f1.1
		Arm f1.1 wait 2 on queue by 20ns
		Block f1.1 "parked"
		Spawn f2.1 with false true false false
		ScheduleNext f2.1
		Mask f2.1
		Cancel f2.1 grace 30
		Arm f2.1 wait 3 on queue
		Block f2.1 "parked"
		expire f0.1
		expire f1.1
		expire f2.1 grace 30`},
}

var deliveries = []observedCase{
	{"every answer", Config{Number: 1}, func(g *testScheduler) {
		b := new(fakeSource)
		plain := g.spawnBlocked(Options{}, fiber.OnQueue())
		queued := g.spawnBlocked(Options{}, fiber.OnQueue(), b)
		timed := g.spawnBlocked(Options{}, fiber.Until(40))
		g.delivers(plain, fiber.Woken)
		g.delivers(plain, fiber.Stale)
		g.Apply(fiber.Wakeup{Ticket: b.match(), Result: ok, From: b.Slot()})
		g.delivers(queued, fiber.Stale)
		g.delivers(timed, fiber.WrongSource)
		g.delivers(fiber.Ticket{ID: plain.ID, Seq: plain.Seq & fiber.MaxSeq}, fiber.WrongSource)
		g.delivers(fiber.Ticket{ID: 77, Seq: plain.Seq}, fiber.Gone)
		g.spawnRunning(Options{})
		g.delivers(g.ArmForQueue(), fiber.Latched)
		g.Apply(fiber.Wakeup{})
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 281474976710657 on queue
		Block f0.1 "parked"
		Spawn f1.1
		ScheduleNext f1.1
		Arm f1.1 wait 281474976710658 on queue
		Block f1.1 "parked"
		Spawn f2.1
		ScheduleNext f2.1
		Arm f2.1 wait 281474976710659 on timer(40ns)
		Block f2.1 "parked"
		Deliver f0.1 wait 281474976710657 "woken"
		Deliver f0.1 wait 281474976710657 "stale"
		Deliver f1.1 wait 281474976710658 "woken"
		Deliver f1.1 wait 281474976710658 "stale"
		Deliver f2.1 wait 281474976710659 "wrong-source"
		Deliver f0.1 wait 1 "wrong-source"
		Deliver f77.0 wait 281474976710657 "gone"
		Spawn f3.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		YieldCurrent f1.1
		ScheduleNext f3.1
		Arm f3.1 wait 281474976710660 on queue
		Deliver f3.1 wait 281474976710660 "latched"`},
	{"wakes", Config{}, func(g *testScheduler) {
		g.Wake(g.spawnBlocked(Options{}, fiber.OnQueue()).ID)
		g.Wake(g.spawnBlocked(Options{}, fiber.Until(9)).ID)
		g.spawnRunning(Options{})
		g.call()
		g.Wake(g.blockIn(fiber.OnQueue()).ID)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on queue
		Block f0.1 "parked"
		Wake f0.1
		Spawn f1.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		Arm f1.1 wait 2 on timer(9ns)
		Block f1.1 "parked"
		Wake f1.1
		Spawn f2.1
		ScheduleNext f0.1
		YieldCurrent f0.1
		ScheduleNext f1.1
		YieldCurrent f1.1
		ScheduleNext f2.1
		AcquireTrampoline t0.1
		Arm t0.1 wait 3 on queue
		Block t0.1 "parked"
		Wake t0.1`},
	{"what an object decides when one leaves it", Config{}, func(g *testScheduler) {
		other := g.spawnBlocked(Options{}, fiber.OnQueue())
		b := &fakeSource{onLeave: []fiber.Wakeup{{Ticket: other, Result: ok}}}
		g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(5), b)
		g.at(5)
	}, `
		Spawn f0.1
		ScheduleNext f0.1
		Arm f0.1 wait 1 on queue
		Block f0.1 "parked"
		Spawn f1.1
		ScheduleNext f1.1
		Arm f1.1 wait 2 on queue by 5ns
		Block f1.1 "parked"
		expire f1.1
		Deliver f0.1 wait 1 "woken"`},
}
