package actor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestCommandsAreCarriedOutInTheOrderTheyWereGiven(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		cx.Send(actor.Output, msg)
		if len(msg) < 3 {
			cx.Send(cx.Self(), msg+"1")
			cx.Send(cx.Self(), msg+"2")
		}
	}), options{})
	st.outputs(words("a", "b"), "a", "b", "a1", "a2", "b1", "b2", "a11", "a12", "a21", "a22", "b11", "b12", "b21", "b22")
}

func TestDispatchIsOnlyAppendedWhileATurnIsUnderWay(t *testing.T) {
	var sys *actor.System[string]
	st := newFixture(t, root(func(cx *me, msg string) {
		if msg == "first" {
			sys.Dispatch("third")
			if sys.Phase() != "busy" {
				t.Errorf("phase %v in a handler", sys.Phase())
			}
		}
		cx.Send(actor.Output, msg)
	}), options{})
	sys = st.System
	if sys.Phase() != "queued" {
		t.Errorf("phase %v of a new system", sys.Phase())
	}
	st.outputs(words("first", "second"), "first", "second", "third")
	if sys.Phase() != "idle" {
		t.Errorf("phase %v at the end", sys.Phase())
	}
}

func TestATurnWithinATurnIsRefused(t *testing.T) {
	var sys *actor.System[string]
	st := newFixture(t, root(func(*me, string) { sys.Turn() }), options{})
	sys = st.System
	_, err := st.run("x")
	if err == nil || !strings.Contains(err.Error(), "a turn is under way") {
		t.Errorf("ended with %v", err)
	}
}

func TestAPanicFailsItsActorWithTheStackAndNothingElse(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		bad, _ := cx.Spawn(named("bad", func(cx *me, msg string) {
			cx.Send(actor.Output, "before")
			explode(msg)
		}))
		good, _ := cx.Spawn(named("good", echo))
		for _, h := range []actor.Handle{bad, good, bad, good} {
			cx.Send(h, msg)
		}
	}), options{})
	st.outputs(words("boom"), "before", "boom", "boom")
	st.reports(
		`bad ended: actor: a2.1 "bad" failed: panic: boom`,
		`dead letter a1.1→a2.1 "boom": actor: no such actor`)
	if st.Live() != 2 {
		t.Errorf("%d actors are alive, want the root and good", st.Live())
	}
}

func explode(with string) { panic(with) }

func TestTheCauseOfAPanicKeepsValueAndStack(t *testing.T) {
	cause := errors.New("cause")
	st := newFixture(t, root(func(*me, string) { panic(cause) }), options{})
	_, err := st.run("x")
	var p *scheduler.PanicError
	if !errors.Is(err, cause) || !errors.As(err, &p) || !strings.Contains(string(p.Stack), "system_test.go") {
		t.Errorf("ended with %v", err)
	}
}

// Goexit cannot be held up: it ends the goroutine. The system is whole, and another
// goroutine goes on with it.
func TestGoexitFailsTheActorAndAnotherGoroutineGoesOn(t *testing.T) {
	for _, place := range []string{"handler", "new"} {
		st := newFixture(t, root(func(cx *me, msg string) {
			cx.Spawn(spec{Name: "fatal", New: func(cx *me) actor.Handler[string] {
				if place == "new" {
					runtime.Goexit()
				}
				cx.Send(cx.Self(), "x")
				return handler(func(*me, string) { runtime.Goexit() })
			}})
			cx.Send(actor.Output, "still here")
		}), options{})
		st.Dispatch("x")
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			for st.Turn() || st.Live() > 1 {
			}
			t.Error("the goroutine was not ended")
		}()
		<-gone
		st.outputs(nil, "still here")
		st.reports(`fatal ended: actor: a2.1 "fatal" failed: runtime.Goexit was called`)
	}
}

func TestAnActorThatKillsItselfHandlesWhatWasSentBefore(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		mine, _ := cx.Spawn(named("me", func(cx *me, msg string) {
			if msg == "die" {
				cx.Kill(cx.Self(), nil)
				cx.Send(cx.Self(), "too late")
				return
			}
			cx.Send(actor.Output, msg)
		}))
		cx.Send(mine, "die")
		cx.Send(mine, "before the kill")
	}), options{})
	st.outputs(words("go"), "before the kill")
	st.reports("me ended: <nil>", `dead letter a2.1→a2.1 "too late": actor: no such actor`)
}

func TestAKillTakesTheChildrenFirst(t *testing.T) {
	var grow func(cx *me, msg string)
	grow = func(cx *me, msg string) {
		if len(msg) < 4 {
			for _, suffix := range []string{"a", "b"} {
				child, _ := cx.Spawn(named(msg+suffix, grow))
				cx.Send(child, msg+suffix)
			}
		}
	}
	st := newFixture(t, root(grow), options{})
	st.outputs(words("x-"))
	if st.Live() != 7 {
		t.Errorf("%d actors, want 7", st.Live())
	}
	enough := errors.New("enough")
	st.Outside().Kill(st.Input(), enough)
	st.endsWith(enough)
	by := func(h, name string) string { return fmt.Sprintf("%s ended: actor: %s %q was killed: ", name, h, name) }
	orphan := actor.ErrParent.Error()
	st.reports(
		by("a7.1", "x-bb")+orphan, by("a6.1", "x-ba")+orphan, by("a3.1", "x-b")+orphan,
		by("a5.1", "x-ab")+orphan, by("a4.1", "x-aa")+orphan, by("a2.1", "x-a")+orphan,
		by("a1.1", "root")+"enough")
}

// A chain of a hundred thousand actors is killed without a deep recursion.
func TestADeepTreeIsKilledInOneCommand(t *testing.T) {
	left := 100_000
	var dig handler
	dig = func(cx *me, msg string) {
		if left--; left > 0 {
			child, _ := cx.Spawn(named("", dig))
			cx.Send(child, msg)
		}
	}
	st := newFixture(t, root(dig), options{})
	st.outputs(words("x"))
	if st.Live() != 100_000 {
		t.Errorf("%d actors", st.Live())
	}
	st.Outside().Kill(st.Input(), nil)
	st.endsWith(nil)
}

func TestASpawnWhoseParentEndedMeanwhileIsRefusedAndItsMailIsDead(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		cx.Kill(cx.Self(), nil)
		child, _ := cx.Spawn(named("late", echo))
		cx.Send(child, "hello")
	}), options{})
	st.endsWithOutputs(words("x"))
	st.reports("root ended: <nil>",
		`late ended: actor: a2.1 "late" was killed: actor: its parent ended`,
		`dead letter a1.1→a2.1 "hello": actor: no such actor`)
}

func (st *fixture) endsWithOutputs(msgs []string, want ...string) {
	st.t.Helper()
	st.outputs(msgs, want...)
	if !st.Ended() {
		st.t.Error("the system has not ended")
	}
}

func TestASpawnStormEndsAtTheLimitWithAnError(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		for {
			if _, err := cx.Spawn(named("", echo)); err != nil {
				cx.Send(actor.Output, err.Error())
				return
			}
		}
	}), options{MaxActors: 100})
	st.outputs(words("x"), actor.ErrTooManyActors.Error())
	if st.Live() != 100 {
		t.Errorf("%d actors", st.Live())
	}
}

func TestMessagesToForgedAndUnknownHandlesAreDeadLetters(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	st.outputs(nil)
	for _, h := range []actor.Handle{actor.Outside, 7, 1 << 40, ^actor.Handle(0), st.Input() + 1<<32, st.Input() + 1} {
		st.Outside().Send(h, "hello")
		st.Outside().Kill(h, nil)
		st.Outside().Fail(h, nil)
	}
	st.outputs(nil)
	if n := st.Stats(); n.Dead != 6 || !st.Alive(st.Input()) {
		t.Errorf("%+v", n)
	}
}

func TestAReusedSlotDoesNotGetTheMailOfTheDead(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	first, _ := st.Outside().Spawn(named("first", echo))
	st.Outside().Kill(first, nil)
	st.outputs(nil)
	second, _ := st.Outside().Spawn(named("second", echo))
	if uint32(first) != uint32(second) || first == second {
		t.Fatalf("%v and %v", first, second)
	}
	st.Outside().Send(first, "for the first")
	st.Outside().Send(second, "for the second")
	st.outputs(nil, "for the second")
}

func TestAContextOutlivesItsActorAndRefuses(t *testing.T) {
	var kept *me
	st := newFixture(t, root(func(cx *me, _ string) {
		child, _ := cx.Spawn(named("child", func(cx *me, _ string) { kept = cx }))
		cx.Send(child, "x")
		cx.Kill(child, nil)
	}), options{})
	st.outputs(words("x"))
	_, spawned := kept.Spawn(named("", echo))
	for _, err := range []error{kept.Send(actor.Output, "x"), kept.Kill(st.Input(), nil), kept.Fail(st.Input(), nil), spawned} {
		if !errors.Is(err, actor.ErrGone) {
			t.Errorf("%v", err)
		}
	}
	st.outputs(nil)
}

func TestAnEndedSystemRefuses(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	st.Outside().Send(actor.Output, "last")
	st.Outside().Kill(st.Input(), nil)
	st.Turn()
	if err := st.Dispatch("x"); !errors.Is(err, actor.ErrEnded) {
		t.Errorf("%v", err)
	}
	if st.Ended() {
		t.Error("it ended before its output was read")
	}
	st.endsWithOutputs(nil, "last")
	st.endsWith(nil)
}

func TestSelfSendsDoNotKeepOthersFromDispatching(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		switch msg {
		case "spin":
			cx.Send(cx.Self(), "spin")
		default:
			cx.Send(actor.Output, msg)
		}
	}), options{Fuel: 10})
	st.Dispatch("spin")
	for range 100 {
		if !st.Turn() {
			t.Fatal("it stopped spinning")
		}
	}
	st.Dispatch("hello")
	st.Outside().Kill(st.Input(), nil)
	st.endsWithOutputs(nil, "hello")
}

func TestAFullQueueRefusesAndAMillionCommandsAreCarriedOutAndForgotten(t *testing.T) {
	const million = 1_000_000
	before := heap()
	st := newFixture(t, root(echo), options{MaxQueue: million + 1, MaxOutputs: 100})
	for range million {
		if err := st.Dispatch("x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Dispatch("x"); !errors.Is(err, actor.ErrQueueFull) {
		t.Errorf("%v", err)
	}
	n := 0
	for _, err := range st.All(context.Background()) {
		if err != nil {
			break
		}
		n++
	}
	if s := st.Stats(); n != million || s.Rejected != 1 {
		t.Errorf("%d outputs, %+v", n, s)
	}
	st.balanced()
	if grown := heap() - before; grown > 8<<20 {
		t.Errorf("%d bytes are left of the burst", grown)
	}
	runtime.KeepAlive(st)
}

func TestUnreadOutputsHoldTheSystemUp(t *testing.T) {
	handled := 0
	st := newFixture(t, root(func(cx *me, msg string) {
		handled++
		cx.Send(actor.Output, msg)
		cx.Send(cx.Self(), msg)
	}), options{MaxOutputs: 4})
	st.Dispatch("x")
	for range 100 {
		st.Turn()
	}
	if handled > 4 {
		t.Errorf("%d messages were handled while nobody read", handled)
	}
	if out, err := st.Next(context.Background()); err != nil || out != "x" {
		t.Error("nothing to pull")
	}
}

func TestAHookThatPanicsIsReportedAndTheSystemContinues(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	sys, err := actor.New(st.sched, nil, root(echo), options{
		DeadLetter: func(actor.DeadLetter[string]) { panic("hook") },
		Fault:      func(err error) { st.note("fault: %v", err); panic("again") },
	})
	if err != nil {
		t.Fatal(err)
	}
	sys.Outside().Send(99, "x")
	sys.Dispatch("y")
	if out, err := sys.Next(context.Background()); out != "y" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	st.reports("fault: panic: hook")
}

func TestTheEndOfTheContextLeavesTheSystemAsItIs(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := st.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	st.outputs(words("x"), "x")
}

func TestASpecWithoutCodeIsRefused(t *testing.T) {
	if _, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, spec{}, options{}); !errors.Is(err, actor.ErrSpec) {
		t.Errorf("%v", err)
	}
}

func TestHandlesReadWhatTheyWrite(t *testing.T) {
	for _, h := range []actor.Handle{actor.Outside, actor.Output, 3 | 1<<32, ^actor.Handle(0)} {
		if back, err := actor.ParseHandle(h.String()); back != h || err != nil {
			t.Errorf("%v reads as %v, %v", h, back, err)
		}
	}
	for _, s := range words("", "a", "a1", "a1.", "a1.-1", "1.1", "a01.1", "a4294967296.1", "root") {
		if h, err := actor.ParseHandle(s); err == nil {
			t.Errorf("%q reads as %v", s, h)
		}
	}
}
