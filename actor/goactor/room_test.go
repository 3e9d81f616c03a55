package goactor_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// slow is an actor that takes a second over each message, with room for two.
func (st *stage) slow(full actor.Policy) actor.Handle {
	s := st.spec("slow", func(f *Fiber, cx *me) error {
		for {
			msg, err := goactor.Recv(f, cx)
			if err != nil {
				return err
			}
			cx.Send(actor.Output, msg)
			if err := f.Sleep(time.Second); err != nil {
				return err
			}
		}
	})
	s.Inbox, s.Full = 2, full
	h, err := st.Outside().Spawn(s)
	if err != nil {
		st.t.Fatal(err)
	}
	return h
}

func TestABlockedSenderWaitsForRoomAndLosesNothing(t *testing.T) {
	st := newStage(t, nothing)
	slow := st.slow(actor.BlockSender)
	var finished []string
	for _, name := range []string{"a", "b"} {
		st.spawn(name, func(f *Fiber, cx *me) error {
			for i := range 4 {
				if err := goactor.Send(f, cx, slow, fmt.Sprint(name, i)); err != nil {
					return err
				}
			}
			finished = append(finished, fmt.Sprintf("%s at %v", name, f.Now()))
			return nil
		})
	}
	n := 0
	for out, err := range st.All(t.Context()) {
		if err != nil {
			break
		}
		n++
		_ = out
	}
	if s := st.Stats(); n != 8 || s.Dead != 0 {
		t.Errorf("%d outputs, %+v", n, s)
	}
	if len(finished) != 2 || finished[1] < "b at 5s" {
		t.Errorf("finished %q: nobody was held up", finished)
	}
}

func TestASenderThatWaitsForRoomIsToldOfTheEnd(t *testing.T) {
	st := newStage(t, nothing)
	slow := st.slow(actor.BlockSender)
	flood := func(f *Fiber, cx *me) error {
		for range 100 {
			if err := goactor.Send(f, cx, slow, "x"); err != nil {
				st.note("%v", errors.As(err, new(*stackful.Interrupt)))
				return err
			}
		}
		st.note("sent all")
		return nil
	}
	st.spawn("one", flood)
	two := st.spawn("two", flood)
	for range 3 {
		if _, err := st.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	st.Outside().Kill(two, nil)  // while it waits: its wait is withdrawn
	st.Outside().Kill(slow, nil) // then all sends succeed, as dead letters
	for _, err := range st.All(t.Context()) {
		if err != nil {
			break
		}
	}
	for _, want := range []string{"true", "sent all"} {
		found := false
		for _, line := range st.told {
			found = found || line == want
		}
		if !found {
			t.Errorf("not told %q", want)
		}
	}
}

func TestTheOldestOfAFullInboxIsDropped(t *testing.T) {
	st := newStage(t, nothing)
	slow := st.slow(actor.DropOldest)
	st.plays()
	for i := range 5 { // into the inbox, one by one, while the actor sleeps over the first
		st.Outside().Send(slow, fmt.Sprint(i))
		st.Turn()
	}
	st.plays("0", "3", "4")
	st.heard(
		`dead letter "1": actor: pushed out of a full inbox`,
		`dead letter "2": actor: pushed out of a full inbox`)
}

func TestNobodyWaitsForRoomWhereTheReceiverRefuses(t *testing.T) {
	st := newStage(t, nothing)
	slow := st.slow(actor.Reject)
	st.spawn("sender", func(f *Fiber, cx *me) error {
		for range 2 {
			if err := goactor.Send(f, cx, slow, "x"); err != nil {
				return err
			}
		}
		st.note("%v, %v", goactor.Send(f, cx, slow, "x"), cx.Room(slow) == nil)
		return nil
	})
	st.plays("x", "x")
	st.heard("actor: the receiver's inbox is full, true", "sender ended: <nil>")
}

func TestAnActorsWaitsHaveDeadlines(t *testing.T) {
	st := newStage(t, nothing)
	slow := st.slow(actor.BlockSender)
	var told []string
	st.spawn("hasty", func(f *Fiber, cx *me) error {
		_, err := goactor.RecvUntil(f, cx, f.Within(time.Second/2))
		told = append(told, fmt.Sprintf("received nothing: %v at %v", errors.Is(err, stackful.ErrTimeout), f.Now()))
		for err = nil; err == nil; {
			err = goactor.SendUntil(f, cx, slow, "more", f.Within(time.Second/4))
		}
		told = append(told, fmt.Sprintf("no room: %v at %v", errors.Is(err, stackful.ErrTimeout), f.Now()))
		return nil
	})
	for range st.All(t.Context()) {
	}
	if want := []string{"received nothing: true at 500ms", "no room: true at 750ms"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestAnInboxThatItsActorClosedGivesNoMessages(t *testing.T) {
	st := newStage(t, nothing)
	var got error
	deaf := st.spawn("deaf", func(f *Fiber, cx *me) error {
		if err := stackful.Close(f, cx.Inbox()); err != nil {
			return err
		}
		_, got = goactor.Recv(f, cx)
		return f.Sleep(time.Second)
	})
	st.spawn("sender", func(f *Fiber, cx *me) error {
		if err := f.Sleep(time.Second / 2); err != nil {
			return err
		}
		return cx.Send(deaf, "hello")
	})
	for range st.All(t.Context()) {
	}
	if s := st.Stats(); !errors.Is(got, wait.ErrClosed) || s.Dead != 1 {
		t.Errorf("it received %v; %+v", got, s)
	}
}

// Its message is taken back with it, before it waits and while it does.
func TestASenderThatTheHostEndsHasNotSent(t *testing.T) {
	for _, early := range []bool{false, true} {
		for _, killed := range []bool{false, true} {
			st := newStage(t, nothing)
			slow := st.slow(actor.BlockSender)
			core := st.rt.Scheduler()
			end := core.Cancel
			if killed {
				end = core.Kill
			}
			var told error
			st.spawn("sender", func(f *Fiber, cx *me) error {
				for range 2 {
					if err := goactor.Send(f, cx, slow, "taken"); err != nil {
						return err
					}
				}
				if early {
					_ = end(f.ID(), wait.ErrClosed)
				} else {
					_ = core.Inbox().Do(func() { _ = end(f.ID(), wait.ErrClosed) })
				}
				told = goactor.Send(f, cx, slow, "taken back")
				return nil
			})
			st.plays("taken", "taken")
			var stopped *stackful.Interrupt
			if !errors.As(told, &stopped) || stopped.Killed != killed {
				t.Errorf("early %v, killed %v: told %v", early, killed, told)
			}
		}
	}
}
