package actor_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/scheduler"
)

// books count what becomes of each message, by what hooks and handlers tell.
type books struct{ handled, dead, refused, sent uint64 }

// Whatever is bounded, blocked, supervised and restarted, every message is handled once, or
// refused, or one dead letter, and the system's counts say the same.
func TestNoMessageIsLostWhateverHappens(t *testing.T) {
	var all books
	enough := func() bool { return all.handled >= 1000 && all.dead >= 100 && all.refused >= 20 }
	world := func(t *rapid.T) {
		var b books
		draw := func(most int) int { return rapid.IntRange(0, most).Draw(t, "choice") }
		var handles []actor.Handle
		send := func(cx *actor.Context[int], hops int) {
			b.sent++
			if cx.Send(handles[draw(len(handles)-1)], hops) != nil {
				b.refused++
			}
		}
		spec := func() actor.Spec[int] {
			s := actor.Spec[int]{Inbox: draw(3), Full: actor.Policy(draw(2)),
				Supervise: actor.Supervision{Strategy: actor.Strategy(draw(2)), MaxRestarts: 3, Backoff: time.Duration(draw(1))}}
			s.New = actor.Stateless(func(cx *actor.Context[int], hops int) {
				b.handled++
				for range draw(2) {
					if hops > 0 {
						send(cx, hops-1)
					}
				}
				switch draw(9) {
				case 0:
					panic("as drawn")
				case 1:
					cx.Kill(handles[draw(len(handles)-1)], nil)
				}
			})
			return s
		}
		sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, spec(), actor.Options[int]{
			Fuel: 1 + draw(5), DeadLetter: func(actor.DeadLetter[int]) { b.dead++ }})
		if err != nil {
			t.Fatal(err)
		}
		handles = append(handles, sys.Input(), 1<<40)
		sys.Use(func(c *actor.Command[int]) bool {
			if draw(9) == 0 && c.Op != actor.OpSpawn {
				return false
			}
			return true
		})
		for range 6 {
			if h, err := sys.Outside().Spawn(spec()); err == nil {
				handles = append(handles, h)
			}
		}
		for range 40 {
			send(sys.Outside(), 5)
			sys.Turn()
		}
		for range sys.All(t.Context()) {
		}
		n := sys.Stats()
		if want := (actor.Stats{Sent: b.sent, Delivered: b.handled, Dead: b.dead, Rejected: b.refused}); n != want || b.sent != b.handled+b.dead+b.refused || sys.Pending() != 0 {
			t.Fatalf("the system counts %+v, the books are %+v, %d pending", n, b, sys.Pending())
		}
		all.handled += b.handled
		all.dead += b.dead
		all.refused += b.refused
	}
	rapid.Check(t, world)
	for more := 10; more > 0 && !testing.Short() && !t.Failed() && !enough(); more-- {
		rapid.Check(t, world) // the worlds so far were quiet ones
	}
	if !t.Failed() && !testing.Short() && !enough() {
		t.Errorf("too little happened: %+v", all)
	}
}
