package pool

import (
	"math"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/scheduler"
)

// pairOf is a pool of which the test plays both workers, so that each is where it wants it.
func pairOf(t *testing.T) (p *Pool[int], victim, thief *worker[int]) {
	t.Helper()
	p, err := New(Config[int]{Workers: 2, Machine: func(int) scheduler.Machine[int] { return scheduler.MachineFunc[int](nil) }})
	if err != nil {
		t.Fatal(err)
	}
	return p, p.workers[0], p.workers[1]
}

func (w *worker[T]) has(t *testing.T, data ...T) {
	t.Helper()
	for _, d := range data {
		if _, err := w.s.SpawnWith(d, movable); err != nil {
			t.Fatal(err)
		}
	}
}

// order are the payloads of what is ready, in the order in which they will run.
func order(w *worker[int]) (data []int) {
	for id := range w.s.Inspect().Ready() {
		f, _ := w.s.Fiber(id)
		data = append(data, f.Data)
	}
	return data
}

func want(t *testing.T, what string, got []int, want ...int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %v, not %v", what, got, want)
	}
}

func TestAThiefGetsTheOldestHalfInItsOrder(t *testing.T) {
	_, victim, thief := pairOf(t)
	victim.has(t, 1, 2, 3, 4, 5)
	thief.openRequest()
	victim.answer(thief)
	if !thief.closeRequest() {
		t.Fatal("nothing came")
	}
	want(t, "the victim", order(victim), 5, 4, 3)
	want(t, "the thief", order(thief), 2, 1)
}

// The victim is preempted: the thief does not wait for it, and when the victim answers, the request is closed and the fibers stay where they are.
func TestAThiefDoesNotWaitForAVictimThatDoesNotAnswer(t *testing.T) {
	_, victim, thief := pairOf(t)
	victim.has(t, 1, 2, 3, 4)
	victim.shareFibers()
	if thief.steal() {
		t.Fatal("it has stolen from a victim that did not answer")
	}
	if victim.thief.Load() != nil {
		t.Fatal("it still asks")
	}
	victim.answer(thief) // it had seen the request just before
	want(t, "the victim", order(victim), 4, 3, 2, 1)
	if thief.closeRequest() || victim.s.Inspect().Live() != 4 || thief.s.Inspect().Live() != 0 {
		t.Fatal("something has moved")
	}
}

// An answer to an old request is as good as one to the new.
func TestALateAnswerFillsTheNextRequest(t *testing.T) {
	_, victim, thief := pairOf(t)
	victim.has(t, 1, 2, 3, 4)
	thief.openRequest() // from another worker
	victim.answer(thief)
	victim.answer(thief) // there is no room for a second answer
	thief.closeRequest()
	want(t, "the victim", order(victim), 4, 3)
	want(t, "the thief", order(thief), 2, 1)
}

// A victim without spare fibers clears its thief word and leaves the request open: it may be a
// later one of a worker that sleeps by now, which another worker may fill.
func TestAVictimWithoutFibersLeavesTheRequestOpen(t *testing.T) {
	_, victim, thief := pairOf(t)
	victim.thief.Store(thief) // some time ago
	thief.openRequest()
	victim.shareFibers()
	if victim.thief.Load() != nil {
		t.Fatal("the thief waits for an answer")
	}
	if !thief.reply.Load().isRequest() {
		t.Fatal("the thief can be given nothing any more")
	}
}

func TestAThiefGetsNoMoreThanItHasRoomFor(t *testing.T) {
	p, err := New(Config[int]{
		Workers: 2, Machine: func(int) scheduler.Machine[int] { return scheduler.MachineFunc[int](nil) },
		Scheduler: func(worker int) scheduler.Config { return scheduler.Config{MaxFibers: 10 - 8*worker} },
	})
	if err != nil {
		t.Fatal(err)
	}
	victim, thief := p.workers[0], p.workers[1]
	victim.has(t, 1, 2, 3, 4, 5, 6, 7, 8)
	_, _ = thief.s.Spawn(9)
	thief.openRequest()
	victim.answer(thief)
	thief.closeRequest()
	want(t, "the thief", order(thief), 9, 1)
	thief.openRequest()
	victim.answer(thief)
	if thief.closeRequest() {
		t.Fatal("it was given more than it has room for")
	}
}

func TestABusyWorkerSendsFibersToAnIdleOne(t *testing.T) {
	p, victim, thief := pairOf(t)
	victim.has(t, 1, 2, 3, 4)
	thief.openRequest()
	if got := p.shared.enterIdle(thief, idleState{finished: true}); got != maySleep {
		t.Fatal(got)
	}
	victim.shareFibers()
	if !thief.s.Inbox().Waiting() || p.shared.idleWithRoom.Load() != 0 {
		t.Fatal("it was not roused")
	}
	victim.shareFibers() // no worker is idle any more
	p.shared.leaveIdle(thief)
	thief.closeRequest()
	want(t, "the thief", order(thief), 2, 1)
}

// It does not take an idle worker off the list again and again.
func TestAWorkerWithoutMovableFibersWakesNoOther(t *testing.T) {
	p, victim, thief := pairOf(t)
	for range 9 {
		_, _ = victim.s.Spawn(0)
	}
	thief.openRequest()
	p.shared.enterIdle(thief, idleState{finished: true})
	victim.shareFibers()
	if thief.s.Inbox().Waiting() || p.shared.idleWithRoom.Load() != 1 || p.shared.finished != 1 {
		t.Fatal("it is not idle any more")
	}
	victim.has(t, 1, 2)
	victim.shareFibers() // too soon to look again
	if p.shared.idleWithRoom.Load() != 1 {
		t.Fatal("it looked through its fibers at once")
	}
	victim.checks += rareCheck
	victim.shareFibers()
	if p.shared.idleWithRoom.Load() != 0 {
		t.Fatal("it did not look again")
	}
}

// The victim is preempted while it packs. Meanwhile the thief gets fibers elsewhere, and opens a
// request with less room: the batch for the old request goes back.
func TestABatchForAnOldRequestFitsTheNewOne(t *testing.T) {
	var thief *worker[int]
	meanwhile := func() {
		thief.closeRequest()
		_, _ = thief.s.Spawn(8)
		_, _ = thief.s.Spawn(9)
		thief.openRequest()
	}
	once := func(tr scheduler.Transition) {
		if tr.Op == op.Move && meanwhile != nil {
			do := meanwhile
			meanwhile = nil
			do()
		}
	}
	p, err := New(Config[int]{
		Workers: 2, Machine: func(int) scheduler.Machine[int] { return scheduler.MachineFunc[int](nil) },
		Scheduler: func(worker int) scheduler.Config {
			if worker == 0 {
				return scheduler.Config{Observer: once}
			}
			return scheduler.Config{MaxFibers: 3}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	victim := p.workers[0]
	thief = p.workers[1]
	victim.has(t, 1, 2, 3, 4, 5, 6)
	thief.openRequest()
	victim.answer(thief)
	thief.closeRequest()
	want(t, "the thief", order(thief), 8, 9)
	want(t, "the victim", order(victim), 6, 5, 4, 3, 2, 1)
}

// 2^32 checks are a few hours of short slices. The count of them must not start again from 0, below
// the check from which fibers are sent again.
func TestABusyWorkerSendsFibersAfterAnyNumberOfChecks(t *testing.T) {
	p, victim, thief := pairOf(t)
	l := victim.s.Steps().Begin(t.Context())
	defer l.Close()
	victim.has(t, 1, 2, 3, 4)
	victim.checks, victim.noPushTill = math.MaxUint32, math.MaxUint32
	victim.check(l)
	thief.openRequest()
	p.shared.enterIdle(thief, idleState{finished: true})
	victim.check(l)
	if !thief.s.Inbox().Waiting() {
		t.Fatal("it was sent nothing")
	}
}
