package goactor_test

import (
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/stackful"
)

// The checked build compares whole tables after each transition, and allocates for that.

// relay is a root that has an asynchronous child send each number back to it, one less, and
// puts out what is left of it.
func relay(t *testing.T, full actor.Policy, inbox int) *actor.System[int] {
	rt := stackful.New(stackful.Config{})
	t.Cleanup(rt.Close)
	child := actor.Spec[int]{Full: full, Inbox: inbox, Start: goactor.Start(rt, func(f *stackful.Fiber, cx *actor.Context[int]) error {
		for {
			n, err := goactor.Recv(f, cx)
			if err != nil {
				return err
			}
			if err := goactor.Send(f, cx, cx.System().Input(), n-1); err != nil {
				return err
			}
		}
	})}
	sys, err := goactor.New(rt, actor.Spec[int]{Full: full, Inbox: inbox, New: func(cx *actor.Context[int]) actor.Handler[int] {
		h, err := cx.Spawn(child)
		if err != nil {
			t.Error(err)
		}
		return actor.HandlerFunc[int](func(cx *actor.Context[int], n int) {
			to := h
			if n <= 0 {
				to = actor.Output
			}
			if err := cx.Send(to, n); err != nil {
				t.Error(err)
			}
		})
	}}, actor.Options[int]{})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

func TestMessagesToAndFromFibersAllocateNothing(t *testing.T) {
	for _, full := range []actor.Policy{actor.Reject, actor.DropOldest, actor.BlockSender} {
		sys := relay(t, full, 4)
		round := func() {
			if err := sys.Dispatch(1000); err != nil {
				t.Fatal(err)
			}
			if out, err := sys.Next(t.Context()); out != 0 || err != nil {
				t.Fatal(out, err)
			}
		}
		round()
		if cost := testing.AllocsPerRun(10, round); cost > 0 && !invariants.On {
			t.Errorf("%v: %v allocations", full, cost)
		}
	}
}

// A producer that has to wait for room with nearly every message.
func TestWaitingForRoomAllocatesNothing(t *testing.T) {
	rt := stackful.New(stackful.Config{})
	t.Cleanup(rt.Close)
	var consumer actor.Handle
	sys, err := goactor.New(rt, actor.Spec[int]{New: func(cx *actor.Context[int]) actor.Handler[int] {
		consumer, _ = cx.Spawn(actor.Spec[int]{Inbox: 1, Full: actor.BlockSender, Start: goactor.Start(rt, consume)})
		producer, _ := cx.Spawn(actor.Spec[int]{Start: goactor.Start(rt, func(f *stackful.Fiber, cx *actor.Context[int]) error {
			for {
				n, err := goactor.Recv(f, cx)
				for ; n >= 0 && err == nil; n-- {
					err = goactor.Send(f, cx, consumer, n)
				}
				if err != nil {
					return err
				}
			}
		})})
		return actor.HandlerFunc[int](func(cx *actor.Context[int], n int) {
			if err := cx.Send(producer, n); err != nil {
				t.Error(err)
			}
		})
	}}, actor.Options[int]{})
	if err != nil {
		t.Fatal(err)
	}
	round := func() {
		if err := sys.Dispatch(100); err != nil {
			t.Fatal(err)
		}
		if out, err := sys.Next(t.Context()); out != 0 || err != nil {
			t.Fatal(out, err)
		}
	}
	round()
	if cost := testing.AllocsPerRun(10, round); cost > 0 && !invariants.On {
		t.Errorf("%v allocations", cost)
	}
	if n := sys.Stats().Rejected; n < 500 {
		t.Errorf("only %d messages waited", n)
	}
}

// consume takes its time over each message, and puts out the last.
func consume(f *stackful.Fiber, cx *actor.Context[int]) error {
	for {
		n, err := goactor.Recv(f, cx)
		if err == nil && n == 0 {
			err = cx.Send(actor.Output, n)
		}
		if err == nil {
			err = f.Yield()
		}
		if err != nil {
			return err
		}
	}
}
