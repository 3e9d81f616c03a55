package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

// flagged is a scheduler whose current fiber gets one flag.
type flagged struct {
	*testScheduler
	id   fiber.RegularID
	h    *header
	lock *testLock
}

// newFlagged spawns the fiber, with the flags that only Spawn sets, and runs it.
func newFlagged(t *testing.T, flag word) *flagged {
	g := newTestScheduler(t, Config{})
	g.warmUp(3) // so that no fast path lacks a free record or trampoline
	lock := new(testLock)
	g.waitFor(g.spawnRunning(Options{}), lock) // so that the scheduler knows the lock
	g.YieldCurrent()
	id := g.spawnRunning(Options{
		Frames:  flag&(frames|killPending) != 0, // a fiber without frames is reapable when killed
		Nests:   flag == nests,
		Movable: flag == movable,
	})
	return &flagged{g, id, g.cur, lock}
}

// set brings the current fiber into a state in which it has the flag.
func (f *flagged) set(flag word) {
	f.t.Helper()
	if f.h.has(flag) {
		return
	}
	switch flag {
	case armed:
		f.ArmForQueue()
	case latched:
		f.Deliver(f.ArmForQueue(), ok)
	case external:
		f.Arm(fiber.OnQueue().FromOutside())
	case timed:
		f.Arm(fiber.Until(100))
	case kindMask, codeMask:
		f.blockIn(fiber.Until(1))
		f.at(1)
		f.mount(f.id)
	case killPending, reapable:
		_ = f.Kill(f.id.ID(), nil)
	case cancelPending:
		_ = f.Cancel(f.id.ID(), nil)
	case fatal:
		f.Unwind().BeginPanic(panicstate.Fatal, 1, "")
	case hasExt:
		_ = f.Attachments().SetName(f.id.ID(), "named")
	case chained:
		f.call()
	case owed:
		f.wait()
		f.mount(f.id)
	case kept:
		f.waitFor(f.id, f.lock)
	case holds:
		f.waitFor(f.id, f.lock)
		f.Attachments().Own(f.lock)
	case operates:
		f.submit()
	}
}

// wait blocks the fiber on the lock, and wakes it.
func (f *flagged) wait() {
	f.lock.park(f.ArmOn(f.lock))
	f.Block()
	f.Apply(f.wakeup())
}

// wakeup is the lock's decision to wake its longest-waiting fiber.
func (f *flagged) wakeup() fiber.Wakeup {
	return fiber.Wakeup{Ticket: f.lock.match(), Result: ok, From: f.lock.Slot()}
}
