package goactor_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
)

// An actor that was killed unwinds, and acts once more through its old Context, when its
// handle may name its next life, or no actor. The journal has nothing of it.
func TestWhatADeadActorStillDoesIsInNoJournal(t *testing.T) {
	system := func() *stage {
		return newStage(t, func(cx *me, msg string) {})
	}
	play := func(st *stage) {
		late := func(f *Fiber, cx *me) error {
			defer cx.Unwatch(st.Input())
			_ = cx.Watch(st.Input(), func(d actor.Death) string { return "mourns" })
			_, err := goactor.Recv(f, cx)
			return err
		}
		h := st.spawn("late", late)
		st.plays()
		_ = st.Outside().Kill(h, nil)
		st.plays()
	}
	var journal bytes.Buffer
	st := system()
	r, err := actor.Record(st.System, &journal, actor.JSON[string]())
	if err != nil {
		t.Fatal(err)
	}
	play(st)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again := system()
	p, err := actor.NewPlayer(again.System, bytes.NewReader(journal.Bytes()), actor.JSON[string](),
		func(name string) (spec, error) { return again.spec(name, nil), nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Play(); err != nil {
		t.Fatalf("%v\n%s", err, journal.String())
	}
}

// A fiber that helps an actor waits for room with a message of it when the actor ends: the
// dead send nothing.
func TestAHelperOfADeadActorHasNotSent(t *testing.T) {
	st := newStage(t, nothing)
	slow := st.slow(actor.BlockSender)
	var helped error
	st.spawn("helped", func(f *Fiber, cx *me) error {
		for range 3 {
			if err := goactor.Send(f, cx, slow, "his own"); err != nil {
				return err
			}
		}
		_, err := f.Runtime().Go("helper", func(f *Fiber) (any, error) {
			helped = goactor.Send(f, cx, slow, "the helper's")
			return nil, nil
		})
		return errors.Join(err, f.Sleep(time.Millisecond))
	})
	st.plays("his own", "his own", "his own")
	if !errors.Is(helped, actor.ErrGone) {
		t.Fatalf("the helper was told %v", helped)
	}
}
