package actor_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// hopeless is a child that fails in each life before it has handled anything, under a root
// that never gives up. It ends the storm by itself after far too many lives.
func hopeless(lives *int, born func()) spec {
	r := root(echo)
	r.Supervise = actor.Supervision{Strategy: actor.OneForOne, MaxRestarts: math.MaxInt}
	r.New = func(cx *me) actor.Handler[string] {
		cx.Spawn(spec{Name: "hopeless", New: func(*me) actor.Handler[string] {
			*lives++
			born()
			if *lives < 100_000 {
				panic("no")
			}
			return handler(echo)
		}})
		return handler(echo)
	}
	return r
}

// A supervisor that never gives up does not prevent reading of outputs, nor from
// ending that.
func TestAStormOfRestartsEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	lives := 0
	st := newFixture(t, hopeless(&lives, func() {
		if lives == 5000 {
			cancel()
		}
	}), options{})
	if err := st.Dispatch("hello"); err != nil {
		t.Fatal(err)
	}
	var outs []string
	for out, err := range st.All(ctx) {
		if err == nil {
			outs = append(outs, out)
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if len(outs) != 1 || lives > 5000+actor.DefaultFuel {
		t.Fatalf("outputs %q, %d lives", outs, lives)
	}
}

// What New asks for can fail the actor too, after New has come to a good end.
func TestAStormOfWhatNewAsksForEndsTurnsToo(t *testing.T) {
	lives := 0
	r := root(echo)
	r.Supervise = actor.Supervision{Strategy: actor.OneForOne, MaxRestarts: math.MaxInt}
	r.New = func(cx *me) actor.Handler[string] {
		dead := actor.Handle(1 << 40)
		_, _ = cx.Spawn(spec{Name: "hopeless", New: func(cx *me) actor.Handler[string] {
			if lives++; lives < 100_000 {
				_ = cx.Watch(dead, func(actor.Death) string { panic("no") })
			}
			return handler(echo)
		}})
		return handler(echo)
	}
	sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, r, options{Fuel: 7})
	if err != nil {
		t.Fatal(err)
	}
	sys.Turn()
	if lives < 2 || lives > 100 {
		t.Fatalf("%d lives in one turn", lives)
	}
}

// Turns end in the midst of the storm, and go on where they ended, in the replay too.
func TestAStormOfRestartsIsTheSameInAReplay(t *testing.T) {
	system := func(lives *int) *actor.System[string] {
		sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, hopeless(lives, func() {
			if *lives == 100 {
				*lives = 100_000
			}
		}), options{Fuel: 7})
		if err != nil {
			t.Fatal(err)
		}
		return sys
	}
	lives, again := 0, 0
	var journal strings.Builder
	sys := system(&lives)
	r, err := actor.Record(sys, &journal, actor.JSON[string]())
	if err != nil {
		t.Fatal(err)
	}
	_ = sys.Dispatch("hello")
	for sys.Turn() {
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	text := journal.String()
	p, err := actor.NewPlayer(system(&again), strings.NewReader(text), actor.JSON[string](), nil)
	if err == nil {
		err = p.Play()
	}
	if turns := strings.Count(text, `{"turn":`); err != nil || again != lives || turns < 10 {
		t.Fatalf("%d turns, %d lives and %d: %v\n%s", turns, lives, again, err, text)
	}
}

// All for one, with more children than a turn has commands: what comes for them afterwards
// finds them up again.
func TestNoMessageComesBetweenTheRestartsOfManyChildren(t *testing.T) {
	const children = 20
	var all []actor.Handle
	r := spec{Name: "root", Supervise: actor.Supervision{Strategy: actor.AllForOne}, New: func(cx *me) actor.Handler[string] {
		for i := range children {
			h, _ := cx.Spawn(named("child", func(cx *me, msg string) {
				if msg == "boom" && i == 3 {
					panic(msg)
				}
				echo(cx, msg)
			}))
			all = append(all, h)
		}
		return handler(echo)
	}}
	st := newFixture(t, r, options{Fuel: 7})
	st.outputs(nil)
	_ = st.Outside().Send(all[3], "boom")
	for _, h := range all {
		_ = st.Outside().Send(h, "x")
	}
	outs, _ := st.run()
	if len(outs) != children {
		t.Fatalf("%d of %d answered", len(outs), children)
	}
}

// The fiber of an actor may be over when Start returns: the system ends all the same, and so
// does the replay.
func TestAFiberThatIsOverBeforeStartReturnsIsReaped(t *testing.T) {
	system := func() *actor.System[string] {
		sched := scheduler.New[int](scheduler.Config{})
		sys, err := actor.New(sched, nil, spec{Name: "root", Start: func(_ *me, o scheduler.Options) (fiber.ID, error) {
			id, err := sched.SpawnWith(0, o)
			if err == nil {
				sched.Poll()
				sched.ScheduleNext()
				sched.KillCurrent()
			}
			return id.ID(), err
		}}, options{})
		if err != nil {
			t.Fatal(err)
		}
		return sys
	}
	sys := system()
	text := journalOf(t, sys)
	if !sys.Ended() {
		t.Error("it has not ended")
	}
	again := system()
	p, err := actor.NewPlayer(again, strings.NewReader(text), actor.JSON[string](), nil)
	if err == nil {
		err = p.Play()
	}
	if err != nil || !again.Ended() {
		t.Errorf("%v\n%s", err, text)
	}
}
