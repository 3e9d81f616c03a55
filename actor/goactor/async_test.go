package goactor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

type (
	me    = actor.Context[string]
	spec  = actor.Spec[string]
	Fiber = stackful.Fiber
)

// stage is a system with a synchronous root, and asynchronous actors below it.
type stage struct {
	*actor.System[string]
	t    *testing.T
	rt   *stackful.Runtime
	told []string
}

func newStage(t *testing.T, root actor.HandlerFunc[string]) *stage {
	st := &stage{t: t, rt: stackful.New(stackful.Config{})}
	t.Cleanup(st.rt.Close)
	var err error
	st.System, err = goactor.New(st.rt, spec{Name: "root", New: actor.Stateless(root)}, actor.Options[string]{
		DeadLetter: func(l actor.DeadLetter[string]) { st.note("dead letter %q: %v", l.Msg, l.Why) },
		Ended:      func(d actor.Death) { st.note("%s ended: %v", d.Name, d.Err()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func (st *stage) note(format string, args ...any) {
	st.told = append(st.told, fmt.Sprintf(format, args...))
}

func (st *stage) spec(name string, fn goactor.Func[string]) spec {
	return spec{Name: name, Start: goactor.Start(st.rt, fn)}
}

// spawn is a child of the root.
func (st *stage) spawn(name string, fn goactor.Func[string]) actor.Handle {
	h, err := st.Outside().Spawn(st.spec(name, fn))
	if err != nil {
		st.t.Fatal(err)
	}
	return h
}

// plays runs until nothing is left to do and compares the outputs.
func (st *stage) plays(want ...string) {
	st.t.Helper()
	var outs []string
	for out, err := range st.All(context.Background()) {
		if err != nil {
			if !errors.Is(err, actor.ErrIdle) {
				st.t.Errorf("ended with %v", err)
			}
			break
		}
		outs = append(outs, out)
	}
	if !slices.Equal(outs, want) {
		st.t.Errorf("outputs %q, want %q", outs, want)
	}
	if n := st.Stats(); n.Sent != n.Delivered+n.Dead+n.Rejected+uint64(st.Pending()) {
		st.t.Errorf("messages were lost: %+v, %d pending", n, st.Pending())
	}
}

func (st *stage) heard(want ...string) {
	st.t.Helper()
	if !slices.Equal(st.told, want) {
		st.t.Errorf("told:\n%q\nwant:\n%q", st.told, want)
	}
	st.told = nil
}

func nothing(*me, string) {}

// upper answers every message.
func upper(f *Fiber, cx *me) error {
	for {
		msg, err := goactor.Recv(f, cx)
		if err != nil {
			return err
		}
		cx.Send(actor.Output, strings.ToUpper(msg))
	}
}

func TestAnAsynchronousActorTakesItsMessagesInOrder(t *testing.T) {
	st := newStage(t, nothing)
	h := st.spawn("upper", upper)
	for _, msg := range []string{"a", "b", "c"} {
		st.Outside().Send(h, msg)
	}
	st.plays("A", "B", "C")
	st.Outside().Kill(st.Input(), nil)
	st.plays()
	st.heard("upper ended: actor: a2.1 \"upper\" was killed: actor: its parent ended", "root ended: <nil>")
}

func TestAnAsynchronousActorThatReturnsIsReaped(t *testing.T) {
	st := newStage(t, nothing)
	h := st.spawn("once", func(f *Fiber, cx *me) error {
		msg, _ := goactor.Recv(f, cx)
		cx.Send(actor.Output, msg)
		return nil
	})
	st.Outside().Send(h, "first")
	st.Outside().Send(h, "second")
	st.plays("first")
	if st.Live() != 1 || st.rt.Scheduler().Inspect().Live() != 0 {
		t.Errorf("%d actors and %d fibers are alive", st.Live(), st.rt.Scheduler().Inspect().Live())
	}
	st.heard(`dead letter "second": actor: the receiver ended before it read the message`, "once ended: <nil>")
	st.Outside().Kill(st.Input(), nil)
	st.plays()
	if !st.Ended() {
		t.Error("the system has not ended")
	}
}

func TestAnErrorAndAPanicFailTheActor(t *testing.T) {
	cause := errors.New("cause")
	st := newStage(t, nothing)
	st.spawn("fails", func(*Fiber, *me) error { return cause })
	st.spawn("panics", func(*Fiber, *me) error { panic("boom") })
	st.plays()
	if len(st.told) != 2 || st.told[0] != `fails ended: actor: a2.1 "fails" failed: cause` ||
		!strings.Contains(st.told[1], `a3.1 "panics" failed: `) || !strings.Contains(st.told[1], "boom") {
		t.Errorf("told %q", st.told)
	}
}

func TestAKilledActorReadsNothingMore(t *testing.T) {
	st := newStage(t, nothing)
	h := st.spawn("stubborn", func(f *Fiber, cx *me) error {
		_ = f.Sleep(time.Second)
		for range 3 { // killed meanwhile, it goes on all the same
			msg, err := goactor.Recv(f, cx)
			st.note("read %q, %v; send: %v", msg, err != nil, cx.Send(actor.Output, msg))
		}
		return nil
	})
	st.Outside().Send(h, "unread")
	st.spawn("killer", func(_ *Fiber, cx *me) error { return cx.Kill(h, nil) })
	st.Outside().Send(h, "unread either")
	st.plays()
	for _, line := range st.told {
		if strings.HasPrefix(line, "read") && line != `read "", true; send: actor: the actor that calls has ended` {
			t.Error(line)
		}
	}
	if n := st.Stats(); n.Dead != 2 {
		t.Errorf("%+v, told %q", n, st.told)
	}
}

// A value that was handed to a waiting receiver which dies before it runs is dead as well.
func TestAMessageAssignedToAKilledActorIsADeadLetter(t *testing.T) {
	st := newStage(t, nothing)
	h := st.spawn("waits", upper)
	st.plays()
	st.Outside().Send(h, "assigned")
	st.Outside().Kill(h, nil)
	st.plays()
	st.heard(`dead letter "assigned": actor: the receiver ended before it read the message`, "waits ended: <nil>")
}

func TestTheEndWaitsForTheLastFiberToUnwind(t *testing.T) {
	st := newStage(t, nothing)
	unwound := false
	st.spawn("tidy", func(f *Fiber, _ *me) error {
		defer func() { unwound = true }()
		return f.Sleep(time.Hour)
	})
	st.plays() // the hour passes: it is a virtual one
	if !unwound {
		t.Error("the sleeper did not wake")
	}
	unwound = false
	st.spawn("tidy", func(f *Fiber, cx *me) error {
		defer func() { unwound = true }()
		_, err := goactor.Recv(f, cx)
		return err
	})
	st.plays()
	st.Outside().Kill(st.Input(), nil)
	st.plays()
	if !unwound || !st.Ended() {
		t.Errorf("unwound %v, ended %v", unwound, st.Ended())
	}
}

func TestAFiberKilledByTheHostEndsItsActor(t *testing.T) {
	st := newStage(t, nothing)
	var id fiber.ID
	st.spawn("victim", func(f *Fiber, cx *me) error {
		id = f.ID()
		_, err := goactor.Recv(f, cx)
		return err
	})
	st.plays()
	if err := st.rt.Scheduler().Kill(id, errors.New("host")); err != nil {
		t.Fatal(err)
	}
	st.plays()
	if st.Live() != 1 || len(st.told) != 1 || !strings.Contains(st.told[0], "was killed") {
		t.Errorf("%d alive, told %q", st.Live(), st.told)
	}
}

func TestAFullInboxRefuses(t *testing.T) {
	st := newStage(t, nothing)
	slow := st.spec("slow", func(f *Fiber, cx *me) error { return f.Sleep(time.Second) })
	slow.Inbox = 3
	h, _ := st.Outside().Spawn(slow)
	for i, want := range []error{nil, nil, nil, actor.ErrInboxFull} {
		if err := st.Outside().Send(h, "x"); !errors.Is(err, want) {
			t.Errorf("message %d: %v, want %v", i, err, want)
		}
	}
	st.Turn()
	if err := st.Outside().Send(h, "x"); !errors.Is(err, actor.ErrInboxFull) {
		t.Errorf("what lies in the inbox is not counted: %v", err)
	}
	st.plays()
	if n := st.Stats(); n.Rejected != 2 || n.Dead != 3 {
		t.Errorf("%+v", n)
	}
}

func TestAStartThatFailsOrPanicsFailsTheActor(t *testing.T) {
	cause := errors.New("no room")
	for _, start := range []func(*me, scheduler.Options) (fiber.ID, error){
		func(*me, scheduler.Options) (fiber.ID, error) { return 0, cause },
		func(*me, scheduler.Options) (fiber.ID, error) { panic(cause) },
	} {
		st := newStage(t, nothing)
		st.Outside().Spawn(spec{Name: "failing", Start: start})
		st.plays()
		if st.Live() != 1 || len(st.told) != 1 || !strings.Contains(st.told[0], "no room") {
			t.Errorf("%d alive, told %q", st.Live(), st.told)
		}
	}
}

func TestASpinningActorKeepsNoFiberWaiting(t *testing.T) {
	st := newStage(t, func(cx *me, msg string) { cx.Send(cx.Self(), msg) })
	st.Dispatch("spin")
	st.spawn("other", func(f *Fiber, cx *me) error {
		for range 100 {
			if err := f.Yield(); err != nil {
				return err
			}
		}
		return cx.Kill(st.Input(), nil)
	})
	st.plays()
	if !st.Ended() {
		t.Error("the fiber did not come to its end")
	}
}

func TestATurnWhileAFiberRunsIsRefused(t *testing.T) {
	st := newStage(t, nothing)
	st.spawn("eager", func(_ *Fiber, cx *me) error { cx.System().Turn(); return nil })
	st.plays()
	if len(st.told) != 1 || !strings.Contains(st.told[0], "call it between slices") {
		t.Errorf("told %q", st.told)
	}
}

func TestOtherGoroutinesDispatchThroughTheInboxOfTheScheduler(t *testing.T) {
	const goroutines, each = 4, 100
	st := newStage(t, func(cx *me, msg string) { cx.Send(actor.Output, msg) })
	inbox := st.rt.Scheduler().Inbox()
	sender := inbox.NewSender()
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for range each {
				_ = inbox.Do(func() { _ = st.Dispatch("x") })
			}
		})
	}
	go func() {
		all.Wait()
		sender.Close()
	}()
	n := 0
	for _, err := range st.All(context.Background()) {
		if err != nil {
			break
		}
		n++
	}
	if n != goroutines*each {
		t.Errorf("%d outputs", n)
	}
}
