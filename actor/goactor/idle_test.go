package goactor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// idle runs until nothing can happen and returns the error.
func (st *stage) idle() error {
	st.t.Helper()
	_, err := st.Next(st.t.Context())
	if !errors.Is(err, actor.ErrIdle) {
		st.t.Fatalf("ended with %v", err)
	}
	return err
}

func TestActorsThatWaitForMessagesAreNotStuck(t *testing.T) {
	st := newStage(t, nothing)
	st.spawn("waits", upper)
	if err := st.idle(); err != actor.ErrIdle || len(st.rt.Scheduler().Inspect().Report().Fibers) != 1 {
		t.Errorf("%v", err)
	}
}

// Two that wait for each other's answer, one that waits for room, and a fiber that is no actor.
func TestTheEndOfAllThatCanHappenTellsWhoWaitsOnWhat(t *testing.T) {
	st := newStage(t, nothing)
	var a, b wait.Chan[int]
	a.SetName("answer of b")
	b.SetName("answer of a")
	ask := func(own, other *wait.Chan[int]) goactor.Func[string] {
		return func(f *Fiber, cx *me) error {
			if _, _, err := stackful.Recv(f, other); err != nil {
				return err
			}
			return stackful.Send(f, own, 1)
		}
	}
	s := st.spec("a", ask(&b, &a))
	s.Inbox, s.Full = 1, actor.BlockSender
	deaf, _ := st.Outside().Spawn(s)
	st.spawn("b", ask(&a, &b))
	st.spawn("flood", func(f *Fiber, cx *me) error {
		for range 3 {
			if err := goactor.Send(f, cx, deaf, "x"); err != nil {
				return err
			}
		}
		return nil
	})
	st.spawn("waits", upper)
	e := st.idle()
	want := []string{
		"actor: idle; 3 of 4 fibers wait for what nothing is left to bring\n",
		`"a" at goactor/idle_test.go:40 waits on chan "answer of b"`, `"b" at goactor/idle_test.go:40 waits on chan "answer of a"`,
		`"flood" at goactor/idle_test.go:52 waits on room at a2.1 (waiting: 1); could be woken by f0.1 "a"`,
		`"waits" at goactor/async_test.go:99 waits on chan "inbox of a5.1 \"waits\""`,
	}
	for _, piece := range want {
		if !strings.Contains(e.Error(), piece) {
			t.Errorf("%q is not in\n%v", piece, e)
		}
	}
	st.Outside().Kill(deaf, nil) // a new command, and it goes on
	st.plays()
}
