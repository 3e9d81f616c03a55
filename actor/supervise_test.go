package actor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/fiber"
)

// fragile counts what it gets and panics at "boom".
type fragile struct{ n int }

func (f *fragile) Handle(cx *me, msg string) {
	if msg == "boom" {
		panic(msg)
	}
	f.n++
	cx.Send(actor.Output, fmt.Sprintf("%v %s %d", cx.Self(), msg, f.n))
}

func newFragile(*me) actor.Handler[string] { return &fragile{} }

// supervised is a root with children a2.1, a3.1, …; "2 x" sends x to a2.1.
func supervised(t *testing.T, sv actor.Supervision, children int) *fixture {
	r := root(nil)
	r.Supervise = sv
	r.New = func(cx *me) actor.Handler[string] {
		for range children {
			cx.Spawn(spec{Name: "child", New: newFragile})
		}
		return handler(func(cx *me, msg string) {
			to, msg, _ := strings.Cut(msg, " ")
			h, err := actor.ParseHandle("a" + to + ".1")
			if err != nil {
				panic(err)
			}
			cx.Send(h, msg)
		})
	}
	return newFixture(t, r, options{})
}

func TestOneForOneRestartsTheChildThatFailed(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.OneForOne}, 2)
	st.outputs(words("2 a", "3 b", "2 boom", "2 c", "3 d"), "a2.1 a 1", "a3.1 b 1", "a2.1 c 1", "a3.1 d 2")
	st.reports(`child ended: actor: a2.1 "child" failed: panic: boom`)
}

func TestAllForOneRestartsTheSiblingsAsWell(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.AllForOne}, 3)
	st.outputs(words("2 a", "3 b", "3 boom", "2 c", "4 d"), "a2.1 a 1", "a3.1 b 1", "a2.1 c 1", "a4.1 d 1")
	st.reports(
		`child ended: actor: a4.1 "child" was killed: actor: a sibling failed`,
		`child ended: actor: a3.1 "child" failed: panic: boom`,
		`child ended: actor: a2.1 "child" was killed: actor: a sibling failed`)
}

func TestASupervisorThatGivesUpFailsItself(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.OneForOne, MaxRestarts: 2}, 1)
	_, err := st.run("2 boom", "2 a", "2 boom", "2 b", "2 boom", "2 c")
	if !errors.Is(err, actor.ErrTooManyRestarts) || !strings.Contains(err.Error(), "after 2 restarts") || !strings.Contains(err.Error(), "panic: boom") {
		t.Errorf("ended with %v", err)
	}
	if n := st.Stats(); n.Dead != 1 {
		t.Errorf("%+v", n)
	}
	st.balanced()
}

func TestFailuresLongAgoDoNotCount(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.OneForOne, MaxRestarts: 1, Within: time.Second}, 1)
	for i := range 5 {
		st.outputs(words("2 boom", "2 a"), "a2.1 a 1")
		st.sched.Steps().WaitForInput(t.Context(), fiber.Time(i+1).After(time.Duration(i+1)*time.Second))
		st.sched.Poll()
	}
}

func TestAChildInItsBackoffIsDownAndComesBackOnTheSchedulersClock(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.OneForOne, Backoff: time.Second, MaxBackoff: 3 * time.Second}, 1)
	for _, want := range []time.Duration{1, 3, 6, 9} { // 1 s, 2 s, 3 s, 3 s: doubled up to the most
		st.Dispatch("2 boom")
		st.Dispatch("2 lost")
		for st.Turn() {
		}
		if st.Alive(2 | 1<<32) {
			t.Fatal("the child is not down")
		}
		st.outputs(nil)
		if now := st.sched.Now(); now != fiber.Time(0).After(want*time.Second) || !st.Alive(2|1<<32) {
			t.Errorf("it is back: %v, at %v, want %v s", st.Alive(2|1<<32), now, want)
		}
	}
	if n := st.Stats(); n.Dead != 4 {
		t.Errorf("%+v", n)
	}
}

func TestAKilledChildStaysDeadAndItsRestartIsVoid(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.OneForOne, Backoff: time.Second}, 1)
	st.Dispatch("2 boom")
	for st.Turn() {
	}
	st.Outside().Kill(2|1<<32, nil)
	st.outputs(nil)
	if st.Live() != 1 {
		t.Errorf("%d actors", st.Live())
	}
}

// What will not happen is not waited for.
func TestASystemDoesNotWaitForTheBackoffOfAChildThatWasKilledInIt(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.OneForOne, Backoff: time.Hour}, 2)
	st.Dispatch("2 boom")
	for st.Turn() {
	}
	st.Outside().Kill(2|1<<32, nil)
	if _, err := st.run(); !errors.Is(err, actor.ErrIdle) {
		t.Errorf("it ended with %v", err)
	}
	if now := st.sched.Now(); now != 0 {
		t.Errorf("it was idle at %v", now)
	}
}

func TestTheChildrenOfAFailedLifeDieWithItAlsoThoseToBeSpawned(t *testing.T) {
	lives := 0
	parent := spec{Name: "parent", New: func(cx *me) actor.Handler[string] {
		lives++
		return handler(func(cx *me, msg string) {
			child, _ := cx.Spawn(named("child", echo))
			cx.Send(child, "hello")
			if msg == "boom" {
				panic(msg)
			}
		})
	}}
	r := root(nil)
	r.Supervise.Strategy = actor.OneForOne
	r.New = func(cx *me) actor.Handler[string] {
		h, _ := cx.Spawn(parent)
		return handler(func(cx *me, msg string) { cx.Send(h, msg) })
	}
	st := newFixture(t, r, options{})
	st.outputs(words("spawn"), "hello")
	st.outputs(words("boom"))
	if lives != 2 || st.Live() != 2 {
		t.Errorf("%d lives, %d actors", lives, st.Live())
	}
	st.reports(
		`child ended: actor: a3.1 "child" was killed: actor: its parent ended`,
		`parent ended: actor: a2.1 "parent" failed: panic: boom`,
		`child ended: actor: a4.1 "child" was killed: actor: its parent ended`,
		`dead letter a2.1→a4.1 "hello": actor: no such actor`)
}

func TestANewThatAlwaysPanicsEndsInItsSupervisor(t *testing.T) {
	r := root(echo)
	r.Supervise.Strategy = actor.OneForOne
	r.New = func(cx *me) actor.Handler[string] {
		cx.Spawn(spec{Name: "hopeless", New: func(*me) actor.Handler[string] { panic("no") }})
		return handler(echo)
	}
	st := newFixture(t, r, options{})
	_, err := st.run()
	if !errors.Is(err, actor.ErrTooManyRestarts) || !strings.Contains(err.Error(), fmt.Sprintf("after %d restarts", actor.DefaultMaxRestarts)) {
		t.Errorf("ended with %v", err)
	}
}

func TestTheBackoffOfAStrategyNeverOverflows(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.OneForOne, MaxRestarts: 100, Within: 1<<63 - 1, Backoff: 1 << 62}, 1)
	for range 4 {
		st.outputs(words("2 boom"))
	}
}
