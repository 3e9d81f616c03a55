package island

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/scheduler"
)

// pairOf is a pool of which the test plays both workers, so that each is where it wants it.
func pairOf(t *testing.T) (p *Pool[int], victim, thief *worker[int]) {
	t.Helper()
	p, err := NewPool(PoolConfig[int]{Workers: 2, Machine: func(int) scheduler.Machine[int] { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return p, p.workers[0], p.workers[1]
}

func (w *worker[T]) has(t *testing.T, data ...T) {
	t.Helper()
	for _, d := range data {
		if _, err := w.s.SpawnWith(d, moves); err != nil {
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
	thief.wantFibers()
	victim.give(thief)
	if !thief.receive() {
		t.Fatal("nothing came")
	}
	want(t, "the victim", order(victim), 5, 4, 3)
	want(t, "the thief", order(thief), 2, 1)
}

// The machine has put the victim aside: the thief does not wait for it, and when the victim
// comes to answer, nobody wants it and the fibers stay where they are.
func TestAVictimThatDoesNotAnswerKeepsItsFibersAndNobodyWaiting(t *testing.T) {
	_, victim, thief := pairOf(t)
	victim.has(t, 1, 2, 3, 4)
	victim.share()
	if thief.steal() {
		t.Fatal("it has stolen from a victim that did not answer")
	}
	if victim.asks.Load() != nil {
		t.Fatal("it still asks")
	}
	victim.give(thief) // it had seen the request just before
	want(t, "the victim", order(victim), 4, 3, 2, 1)
	if thief.receive() || victim.s.Inspect().Live() != 4 || thief.s.Inspect().Live() != 0 {
		t.Fatal("something has moved")
	}
}

// An answer to an old request is as good as one to the new.
func TestALateAnswerFillsTheNextRequest(t *testing.T) {
	_, victim, thief := pairOf(t)
	victim.has(t, 1, 2, 3, 4)
	thief.wantFibers() // from somebody else
	victim.give(thief)
	victim.give(thief) // there is no room for a second answer
	thief.receive()
	want(t, "the victim", order(victim), 4, 3)
	want(t, "the thief", order(thief), 2, 1)
}

// A victim that has nothing to spare answers the asking, not the wish, which may be a later one
// by then, of a worker that sleeps and is to be given what the next one has.
func TestAVictimThatHasNothingLeavesTheWishOpen(t *testing.T) {
	_, victim, thief := pairOf(t)
	victim.asks.Store(thief) // some time ago
	thief.wantFibers()
	victim.share()
	if victim.asks.Load() != nil {
		t.Fatal("the thief waits for an answer")
	}
	if !thief.answer.Load().asks() {
		t.Fatal("the thief can be given nothing any more")
	}
}

func TestAThiefGetsNoMoreThanItHasRoomFor(t *testing.T) {
	p, err := NewPool(PoolConfig[int]{
		Workers: 2, Machine: func(int) scheduler.Machine[int] { return nil },
		Scheduler: func(worker int) scheduler.Config { return scheduler.Config{MaxFibers: 10 - 8*worker} },
	})
	if err != nil {
		t.Fatal(err)
	}
	victim, thief := p.workers[0], p.workers[1]
	victim.has(t, 1, 2, 3, 4, 5, 6, 7, 8)
	_, _ = thief.s.Spawn(9)
	thief.wantFibers()
	victim.give(thief)
	thief.receive()
	want(t, "the thief", order(thief), 9, 1)
	thief.wantFibers()
	victim.give(thief)
	if thief.receive() {
		t.Fatal("it was given more than it has room for")
	}
}

func TestAWorkerWithPlentyWakesOneThatRests(t *testing.T) {
	p, victim, thief := pairOf(t)
	victim.has(t, 1, 2, 3, 4)
	thief.wantFibers()
	if got := p.hall.enter(thief, outlook{finished: true}); got != sleeps {
		t.Fatal(got)
	}
	victim.share()
	if !thief.s.Inbox().Waiting() || p.hall.idlers.Load() != 0 {
		t.Fatal("it was not roused")
	}
	victim.share() // nobody rests any more
	p.hall.leave(thief)
	thief.receive()
	want(t, "the thief", order(thief), 2, 1)
}

// Nobody is woken for nothing, again and again.
func TestAWorkerWhoseFibersStayLetsOthersRest(t *testing.T) {
	p, victim, thief := pairOf(t)
	for range 9 {
		_, _ = victim.s.Spawn(0)
	}
	thief.wantFibers()
	p.hall.enter(thief, outlook{finished: true})
	victim.share()
	if thief.s.Inbox().Waiting() || p.hall.idlers.Load() != 1 || p.hall.finished != 1 {
		t.Fatal("it does not rest any more")
	}
	victim.has(t, 1, 2)
	victim.share() // too soon to look again
	if p.hall.idlers.Load() != 1 {
		t.Fatal("it looked through its fibers at once")
	}
	victim.looks += seldom
	victim.share()
	if p.hall.idlers.Load() != 0 {
		t.Fatal("it did not look again")
	}
}

// Who was picked, woke up and rests anew is on the list already.
func TestAWorkerIsOnTheListOnce(t *testing.T) {
	p, _, thief := pairOf(t)
	p.hall.enter(thief, outlook{finished: true})
	picked, visit := p.hall.pick()
	p.hall.leave(thief)
	p.hall.putBack(picked, visit)
	if p.hall.idlers.Load() != 0 {
		t.Fatal("it rests, and does not")
	}
	p.hall.enter(thief, outlook{finished: true})
	p.hall.putBack(picked, visit)
	if p.hall.idlers.Load() != 1 || p.hall.finished != 1 {
		t.Fatal("it rests twice")
	}
}

func TestThePoolIsNotOverWhileSomethingIsOnItsWay(t *testing.T) {
	nothing := func(*Pool[int], *worker[int]) {}
	for name, story := range map[string]struct {
		comes func(p *Pool[int], first *worker[int])
		want  entry
	}{
		"nothing":          {nothing, allOver},
		"a command":        {func(_ *Pool[int], first *worker[int]) { _ = first.s.Inbox().Kill(0, nil) }, sleeps},
		"a parcel":         {func(p *Pool[int], _ *worker[int]) { p.hall.pick() }, sleeps},
		"from outside":     {func(p *Pool[int], _ *worker[int]) { _ = p.Spawn(1) }, goesOn},
		"somebody's doing": {func(p *Pool[int], _ *worker[int]) { p.Hold() }, sleeps},
		"an own deadline": {func(p *Pool[int], first *worker[int]) {
			p.hall.leave(first)
			p.hall.enter(first, outlook{})
		}, sleeps},
		"one taken out of the pool": {func(p *Pool[int], first *worker[int]) {
			p.hall.leave(first)
			p.hall.enter(first, outlook{finished: true, joins: true, away: 1})
		}, sleeps},
	} {
		t.Run(name, func(t *testing.T) {
			p, first, last := pairOf(t)
			p.hall.enter(first, outlook{finished: true})
			story.comes(p, first)
			if got := p.hall.enter(last, outlook{finished: true}); got != story.want {
				t.Fatalf("the last that came to rest was told %d, not %d", got, story.want)
			}
		})
	}
}

func TestThePoolIsOverWhenTheLastHoldGoes(t *testing.T) {
	p, first, last := pairOf(t)
	release := p.Hold()
	p.hall.enter(first, outlook{finished: true})
	p.hall.enter(last, outlook{finished: true})
	release()
	if !p.hall.leave(first) || !p.hall.leave(last) || !first.s.Inbox().Waiting() {
		t.Fatal("it is not over, or sleeps on")
	}
}

func TestWhatWaitsOutsideIsServedInOrder(t *testing.T) {
	q := queue[int]{limit: 40}
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
