package actor_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/actor"
)

type command = actor.Command[string]

func TestMiddlewareObservesEveryCommandInItsPlace(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		child, _ := cx.Spawn(named("child", echo))
		cx.Send(child, msg)
		cx.Fail(child, nil)
		cx.Kill(cx.Self(), nil)
	}), options{})
	var seen []string
	st.Use(func(c *command) bool {
		seen = append(seen, c.Op.String()+" "+c.From.String()+"→"+c.To.String()+" "+c.Msg)
		return true
	})
	st.endsWithOutputs(words("x"), "x")
	want := "spawn outside→a1.1 , send outside→a1.1 x, spawn a1.1→a2.1 , send a1.1→a2.1 x, fail a1.1→a2.1 , kill a1.1→a1.1 , send a2.1→output x"
	if got := strings.Join(seen, ", "); got != want {
		t.Errorf("seen:\n%s\nwant:\n%s", got, want)
	}
}

func TestMiddlewareTransformsBlocksRedirectsAndInjects(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	st.Use(func(c *command) bool {
		switch {
		case c.Op != actor.OpSend:
		case c.Msg == "secret":
			return false
		case c.Msg == "lost":
			c.To = 99
		case c.Msg == "twice" && c.To == st.Input():
			st.Dispatch("injected")
		case c.To == actor.Output:
			c.Msg = strings.ToUpper(c.Msg)
		}
		return true
	})
	st.outputs(words("a", "secret", "lost", "twice", "b"), "A", "TWICE", "B", "INJECTED")
	st.reports(
		`dead letter outside→a1.1 "secret": actor: blocked by a middleware`,
		`dead letter outside→a99.0 "lost": actor: no such actor`)
}

func TestABlockedKillAndABlockedFailureLeaveTheActorFullyAlive(t *testing.T) {
	for _, end := range []func(cx *me, h actor.Handle) error{
		func(cx *me, h actor.Handle) error { return cx.Kill(h, nil) },
		func(cx *me, h actor.Handle) error { return cx.Fail(h, nil) },
	} {
		st := newFixture(t, root(func(cx *me, msg string) {
			child, _ := cx.Spawn(named("child", echo))
			cx.Send(child, msg)
		}), options{})
		remove := st.Use(func(c *command) bool {
			if c.Op == actor.OpKill || c.Op == actor.OpFail {
				return false
			}
			return true
		})
		st.outputs(words("a"), "a")
		end(st.Outside(), st.Input())
		st.outputs(words("b"), "b")
		st.reports()
		if st.Live() != 3 {
			t.Errorf("%d actors", st.Live())
		}
		remove()
		end(st.Outside(), st.Input())
		st.run()
		if !st.Ended() {
			t.Error("the middleware was not removed")
		}
	}
}

func TestABlockedSpawnGivesItsSlotBack(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		if msg != "spawn" {
			cx.Send(actor.Output, msg)
			return
		}
		child, err := cx.Spawn(named("child", echo))
		cx.Watch(child, obituary)
		cx.Send(child, "hello")
		if err != nil {
			t.Error(err)
		}
	}), options{MaxActors: 2})
	remove := st.Use(func(c *command) bool {
		if c.Op == actor.OpSpawn && c.From != actor.Outside {
			return false
		}
		return true
	})
	st.outputs(words("spawn"), `actor: a2.1 "child" was killed: actor: blocked by a middleware`)
	remove()
	st.outputs(words("spawn"), "hello")
}

func TestAMiddlewareThatPanicsHasNotBeenThere(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	st.Use(func(c *command) bool {
		c.Msg = "half done"
		panic("middleware")
	})
	st.Use(func(c *command) bool { c.Msg += "!"; return true })
	st.outputs(words("a"), "a!!")
	for _, line := range st.trace {
		if line != "fault: panic: middleware" {
			t.Errorf("told %q", line)
		}
	}
	if len(st.trace) != 3 {
		t.Errorf("%d faults were reported", len(st.trace))
	}
}

func TestAMiddlewareThatLeavesByGoexitIsRemovedAndLosesNothing(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	asked := 0
	st.Use(func(*command) bool { asked++; runtime.Goexit(); return false })
	st.Dispatch("a")
	gone := make(chan struct{})
	go func() { defer close(gone); st.Turn() }()
	<-gone
	st.outputs(words("b"), "a", "b")
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	st.reports("fault: runtime.Goexit was called")
}

func TestMiddlewareMayRemoveItselfWhileItIsAsked(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	asked := 0
	var remove func()
	remove = st.Use(func(*command) bool { asked++; remove(); return true })
	st.outputs(words("a", "b"), "a", "b")
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

func TestMiddlewareAllocatesNothing(t *testing.T) {
	sys := selfSender()
	seen := 0
	sys.Use(func(*actor.Command[int]) bool { seen++; return true })
	cost := testing.AllocsPerRun(10, func() {
		sys.Dispatch(1000)
		for sys.Turn() {
		}
	})
	if cost > 0 || seen < 10_000 {
		t.Errorf("%v allocations, %d commands", cost, seen)
	}
}
