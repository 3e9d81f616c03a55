package pool

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/scheduler"
)

// pairOf is a pool of which the test plays both workers, so that each is where it wants it.
func pairOf(t *testing.T) (p *Pool[int], victim, thief *worker[int]) {
	t.Helper()
	p, err := New(Config[int]{Workers: 2, Machine: func(int) scheduler.Machine[int] { return nil }})
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
	for id := range w.s.Ready() {
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

// The machine has put the victim aside: the thief does not wait for it, and when the victim
// comes to answer, nobody wants it and the fibers stay where they are.
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
	if thief.closeRequest() || victim.s.Live() != 4 || thief.s.Live() != 0 {
		t.Fatal("something has moved")
	}
}

// An answer to an old request is as good as one to the new.
func TestALateAnswerFillsTheNextRequest(t *testing.T) {
	_, victim, thief := pairOf(t)
	victim.has(t, 1, 2, 3, 4)
	thief.openRequest() // from somebody else
	victim.answer(thief)
	victim.answer(thief) // there is no room for a second answer
	thief.closeRequest()
	want(t, "the victim", order(victim), 4, 3)
	want(t, "the thief", order(thief), 2, 1)
}

// A victim that has nothing to spare answers the asking, not the wish, which may be a later one
// by then, of a worker that maySleep and is to be given what the next one has.
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
		Workers: 2, Machine: func(int) scheduler.Machine[int] { return nil },
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
	victim.shareFibers() // nobody rests any more
	p.shared.leaveIdle(thief)
	thief.closeRequest()
	want(t, "the thief", order(thief), 2, 1)
}

// Nobody is woken for nothing, again and again.
func TestAWorkerWithoutMovableFibersWakesNoOther(t *testing.T) {
	p, victim, thief := pairOf(t)
	for range 9 {
		_, _ = victim.s.Spawn(0)
	}
	thief.openRequest()
	p.shared.enterIdle(thief, idleState{finished: true})
	victim.shareFibers()
	if thief.s.Inbox().Waiting() || p.shared.idleWithRoom.Load() != 1 || p.shared.finished != 1 {
		t.Fatal("it does not rest any more")
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

// Who was picked, woke up and rests anew is on the list already.
func TestAWorkerIsOnTheIdleListOnce(t *testing.T) {
	p, _, thief := pairOf(t)
	p.shared.enterIdle(thief, idleState{finished: true})
	picked, epoch := p.shared.takeIdle()
	p.shared.leaveIdle(thief)
	p.shared.returnIdle(picked, epoch)
	if p.shared.idleWithRoom.Load() != 0 {
		t.Fatal("it rests, and does not")
	}
	p.shared.enterIdle(thief, idleState{finished: true})
	p.shared.returnIdle(picked, epoch)
	if p.shared.idleWithRoom.Load() != 1 || p.shared.finished != 1 {
		t.Fatal("it rests twice")
	}
}

func TestThePoolDoesNotEndWhileWorkIsInTransit(t *testing.T) {
	nothing := func(*Pool[int], *worker[int]) {}
	for name, story := range map[string]struct {
		comes func(p *Pool[int], first *worker[int])
		want  admission
	}{
		"nothing":          {nothing, poolEnded},
		"a command":        {func(_ *Pool[int], first *worker[int]) { _ = first.s.Inbox().Kill(0, nil) }, maySleep},
		"a parcel":         {func(p *Pool[int], _ *worker[int]) { p.shared.takeIdle() }, maySleep},
		"from outside":     {func(p *Pool[int], _ *worker[int]) { _ = p.Spawn(1) }, hasPayload},
		"somebody's doing": {func(p *Pool[int], _ *worker[int]) { p.Hold() }, maySleep},
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
			story.comes(p, first)
			if got := p.shared.enterIdle(last, idleState{finished: true}); got != story.want {
				t.Fatalf("the last that came to rest was told %d, not %d", got, story.want)
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

func TestTheInjectQueueIsFIFO(t *testing.T) {
	q := injectQueue[int]{limit: 40}
	next, taken := 0, 0
	for i := range 200 {
		for range i % 7 {
			if q.push(next) {
				next++
			} else if q.n != q.limit {
				t.Fatalf("full with %d", q.n)
			}
		}
		for range i % 6 {
			if got, ok := q.pop(); ok && got != taken {
				t.Fatalf("%d came when %d was due", got, taken)
			} else if ok {
				taken++
			}
		}
	}
	if taken < 100 || q.n != next-taken {
		t.Fatalf("%d came, %d are left of %d", taken, q.n, next)
	}
}
