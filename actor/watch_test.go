package actor_test

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/actor"
)

// obituary makes a message of a death.
func obituary(d actor.Death) string {
	if d.Cause == nil {
		return d.Name + " ended"
	}
	return d.Err().Error()
}

func TestWhoWatchesIsToldHowAnActorEnded(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		switch msg {
		case "start":
			for _, name := range words("killed", "failed", "panicked", "stopped") {
				h, _ := cx.Spawn(named(name, func(cx *me, msg string) { panic(msg) }))
				cx.Watch(h, obituary)
				switch name {
				case "killed":
					cx.Kill(h, errors.New("enough"))
				case "failed":
					cx.Fail(h, errors.New("bad"))
				case "panicked":
					cx.Send(h, "boom")
				case "stopped":
					cx.Kill(h, nil)
				}
			}
			cx.Watch(99, obituary)
		default:
			cx.Send(actor.Output, msg)
		}
	}), options{})
	st.outputs(words("start"),
		"actor: a99.0 was killed: actor: no such actor",
		`actor: a2.1 "killed" was killed: enough`,
		`actor: a3.1 "failed" failed: bad`,
		`actor: a4.1 "panicked" failed: panic: boom`,
		"stopped ended")
}

func TestAWatchOutlivesARestartAndCanBeTakenBack(t *testing.T) {
	r := root(nil)
	r.Supervise.Strategy = actor.OneForOne
	var child actor.Handle
	r.New = func(cx *me) actor.Handler[string] {
		child, _ = cx.Spawn(spec{Name: "child", New: newFragile})
		cx.Watch(child, obituary)
		return handler(func(cx *me, msg string) {
			switch msg {
			case "boom":
				cx.Send(child, msg)
			case "unwatch":
				cx.Unwatch(child)
			default:
				cx.Send(actor.Output, "told")
			}
		})
	}
	st := newFixture(t, r, options{})
	st.outputs(words("boom"), "told")
	st.outputs(words("boom"), "told")
	st.outputs(words("unwatch", "boom"))
}

func TestTheOutsideWatchesByOutputs(t *testing.T) {
	st := newFixture(t, root(echo), options{})
	st.Outside().Watch(st.Input(), obituary)
	st.Outside().Kill(st.Input(), nil)
	st.endsWithOutputs(nil, "root ended")
}

func TestAWatcherWhoseMessagePanicsFails(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		watcher, _ := cx.Spawn(named("watcher", func(cx *me, msg string) {
			cx.Watch(99, func(actor.Death) string { panic("as") })
		}))
		cx.Send(watcher, "x")
	}), options{})
	st.outputs(words("x"))
	st.reports(`watcher ended: actor: a2.1 "watcher" failed: panic: as`)
}

// linked is a root with two children that are linked; "2 boom" has a2.1 panic.
func linked(t *testing.T) *fixture {
	st := newFixture(t, root(func(cx *me, msg string) {}), options{})
	first, _ := st.Outside().Spawn(named("first", func(_ *me, msg string) { panic(msg) }))
	st.Outside().Spawn(spec{Name: "second", New: func(cx *me) actor.Handler[string] {
		cx.Link(first)
		return handler(func(_ *me, msg string) { panic(msg) })
	}})
	st.outputs(nil)
	return st
}

func TestLinkedActorsFailTogetherWhicheverIsFirst(t *testing.T) {
	st := linked(t)
	st.Outside().Send(2|1<<32, "boom")
	st.outputs(nil)
	st.reports(`first ended: actor: a2.1 "first" failed: panic: boom`,
		`second ended: actor: a3.1 "second" failed: actor: a2.1 "first" failed: panic: boom`)
	st = linked(t)
	st.Outside().Kill(3|1<<32, errors.New("enough"))
	st.outputs(nil)
	st.reports(`second ended: actor: a3.1 "second" was killed: enough`,
		`first ended: actor: a2.1 "first" failed: actor: a3.1 "second" was killed: enough`)
}

func TestAnEndWithoutACauseLeavesLinkedActorsAlone(t *testing.T) {
	st := linked(t)
	st.Outside().Kill(2|1<<32, nil)
	st.outputs(nil)
	st.reports("first ended: <nil>")
}

func TestALinkToNoActorFailsTheCaller(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) { cx.Link(99) }), options{})
	st.Dispatch("x")
	st.endsWith(actor.ErrUnknown)
	if err := st.Outside().Link(st.Input()); !errors.Is(err, actor.ErrUnknown) {
		t.Errorf("%v", err)
	}
}
