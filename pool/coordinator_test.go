package pool

import (
	"testing"

	"github.com/selvage-dev/selvage/scheduler"
)

// A worker that was taken, woke up and became idle again is on the list already.
func TestAWorkerIsOnTheIdleListOnce(t *testing.T) {
	p, _, thief := pairOf(t)
	p.shared.enterIdle(thief, idleState{finished: true})
	picked, epoch := p.shared.takeIdle()
	p.shared.leaveIdle(thief)
	p.shared.returnIdle(picked, epoch)
	if p.shared.idleWithRoom.Load() != 0 {
		t.Fatal("a worker that runs is on the idle list")
	}
	p.shared.enterIdle(thief, idleState{finished: true})
	p.shared.returnIdle(picked, epoch)
	if p.shared.idleWithRoom.Load() != 1 || p.shared.finished != 1 {
		t.Fatal("it is on the idle list twice")
	}
}

func TestThePoolDoesNotEndWhileWorkIsInTransit(t *testing.T) {
	nothing := func(*Pool[int], *worker[int]) {}
	for name, c := range map[string]struct {
		comes func(p *Pool[int], first *worker[int])
		want  admission
	}{
		"nothing":      {nothing, poolEnded},
		"a command":    {func(_ *Pool[int], first *worker[int]) { _ = first.s.Inbox().Kill(0, nil) }, maySleep},
		"a batch":      {func(p *Pool[int], _ *worker[int]) { p.shared.takeIdle() }, maySleep},
		"from outside": {func(p *Pool[int], _ *worker[int]) { _ = p.Spawn(1) }, hasPayload},
		"a hold":       {func(p *Pool[int], _ *worker[int]) { p.Hold() }, maySleep},
		"an own deadline": {func(p *Pool[int], first *worker[int]) {
			p.shared.leaveIdle(first)
			p.shared.enterIdle(first, idleState{})
		}, maySleep},
		"one taken out of the pool": {func(p *Pool[int], first *worker[int]) {
			p.shared.leaveIdle(first)
			p.shared.enterIdle(first, idleState{finished: true, waitsForMoved: true, netMovedOut: 1})
		}, maySleep},
	} {
		t.Run(name, func(t *testing.T) {
			p, first, last := pairOf(t)
			p.shared.enterIdle(first, idleState{finished: true})
			c.comes(p, first)
			if got := p.shared.enterIdle(last, idleState{finished: true}); got != c.want {
				t.Fatalf("the last worker to become idle was told %d, not %d", got, c.want)
			}
		})
	}
}

func TestThePoolEndsWhenTheLastHoldIsReleased(t *testing.T) {
	p, first, last := pairOf(t)
	release := p.Hold()
	p.shared.enterIdle(first, idleState{finished: true})
	p.shared.enterIdle(last, idleState{finished: true})
	release()
	if !p.shared.leaveIdle(first) || !p.shared.leaveIdle(last) || !first.s.Inbox().Waiting() {
		t.Fatal("it is not over, or maySleep on")
	}
}

// The worker that became idle last has no room; new work is for one that has.
func TestNewWorkWakesAWorkerWithRoom(t *testing.T) {
	for name, comes := range map[string]func(p *Pool[int], victim *worker[int]){
		"from outside":  func(p *Pool[int], _ *worker[int]) { _ = p.Spawn(7) },
		"from a worker": func(_ *Pool[int], victim *worker[int]) { victim.shareFibers() },
	} {
		t.Run(name, func(t *testing.T) {
			p, err := New(Config[int]{Workers: 3, Machine: func(int) scheduler.Machine[int] { return scheduler.MachineFunc[int](nil) }, Scheduler: maxFibers(9, 9, 1)})
			if err != nil {
				t.Fatal(err)
			}
			victim, free, full := p.workers[0], p.workers[1], p.workers[2]
			victim.has(t, 1, 2, 3, 4)
			_, _ = full.s.Spawn(5)
			for _, w := range []*worker[int]{free, full} {
				w.openRequest()
				if got := p.shared.enterIdle(w, w.newIdleState(w.s.Steps().IdleVerdictWithReport())); got != maySleep {
					t.Fatal(got)
				}
			}
			comes(p, victim)
			if full.s.Inbox().Waiting() || !free.s.Inbox().Waiting() {
				t.Fatal("the worker with room was not woken, or the one without was")
			}
		})
	}
}

// A busy worker has taken an idle one off the list when a payload is queued, and then has no
// fiber for it.
func TestAPayloadWakesAWorkerThatWasTakenInVain(t *testing.T) {
	p, _, thief := pairOf(t)
	thief.openRequest()
	p.shared.enterIdle(thief, idleState{finished: true})
	picked, epoch := p.shared.takeIdle()
	p.mustSpawn(t, 1)
	p.shared.returnIdle(picked, epoch)
	if !thief.s.Inbox().Waiting() {
		t.Fatal("it maySleep on")
	}
	p.shared.leaveIdle(thief)
	if !thief.spawnQueued(1, false) {
		t.Fatal("it found nothing")
	}
}
