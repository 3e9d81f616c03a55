package main

import (
	"context"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/scheduler"
)

// actorRows are the comparisons of package actor.
func actorRows() []row {
	return []row{
		{id: "A01", work: "actor sends to itself, a message", peer: "goroutine and channel", goal: 10, n: 400_000,
			ours: selfSend, theirs: goSelfSend},
		{id: "A02", work: "actor sends to 50k others, a message", peer: "goroutines and channels", goal: 10, n: 200_000,
			whole: true, ours: fanOut(50_000), theirs: goFanOut(50_000)},
	}
}

// selfSend is an actor that sends itself n messages, one after the other.
func selfSend(n int) time.Duration {
	sys := mustActors(actor.Spec[int]{New: func(*actor.Context[int]) actor.Handler[int] { return countdown{} }})
	start := time.Now()
	must(sys.Dispatch(n))
	for sys.Turn() {
	}
	return time.Since(start)
}

// countdown sends itself one less than it got.
type countdown struct{}

func (countdown) Handle(cx *actor.Context[int], n int) {
	if n > 0 {
		must(cx.Send(cx.Self(), n-1))
	}
}

// fanOut is a root that forwards each message to all its children.
func fanOut(width int) func(int) time.Duration {
	return func(n int) time.Duration {
		handled := 0
		children := make([]actor.Handle, width)
		sys := mustActors(actor.Spec[int]{New: func(cx *actor.Context[int]) actor.Handler[int] {
			for i := range children {
				h := mustGet(cx.Spawn(actor.Spec[int]{New: actor.Stateless(func(*actor.Context[int], int) { handled++ })}))
				children[i] = h
			}
			return actor.HandlerFunc[int](func(cx *actor.Context[int], n int) {
				for _, h := range children {
					must(cx.Send(h, n))
				}
			})
		}})
		for sys.Turn() {
		}
		start := time.Now()
		for handled < n {
			must(sys.Dispatch(1))
			for sys.Turn() {
			}
		}
		return time.Since(start)
	}
}

func mustActors(root actor.Spec[int]) *actor.System[int] {
	sys := mustGet(actor.New(scheduler.New[int](scheduler.Config{}), nil, root, actor.Options[int]{}))
	return sys
}

// goActor is the peer: a goroutine with an inbox, which can be killed while it waits and
// whose handler's panic ends it alone.
type goActor struct {
	ctx   context.Context
	inbox chan int
}

func newGoActor(ctx context.Context, handle func(a *goActor, msg int)) *goActor {
	a := &goActor{ctx, make(chan int, 8)}
	go func() {
		defer func() { _ = recover() }()
		for {
			select {
			case msg := <-a.inbox:
				handle(a, msg)
			case <-a.ctx.Done():
				return
			}
		}
	}()
	return a
}

// send waits for room, but gives up when the receiver is killed.
func (a *goActor) send(msg int) {
	select {
	case a.inbox <- msg:
	case <-a.ctx.Done():
	}
}

func goSelfSend(n int) time.Duration {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan struct{})
	start := time.Now()
	newGoActor(ctx, func(a *goActor, n int) {
		if n == 0 {
			close(done)
			return
		}
		a.send(n - 1)
	}).send(n)
	<-done
	return time.Since(start)
}

func goFanOut(width int) func(int) time.Duration {
	return func(n int) time.Duration {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		left := 0
		done := make(chan struct{})
		children := make([]*goActor, width)
		for i := range children {
			children[i] = newGoActor(ctx, func(*goActor, int) { // one thread: no other goroutine runs meanwhile
				if left--; left == 0 {
					done <- struct{}{}
				}
			})
		}
		root := newGoActor(ctx, func(_ *goActor, msg int) {
			for _, c := range children {
				c.send(msg)
			}
		})
		start := time.Now()
		for handled := 0; handled < n; handled += width {
			left = width
			root.send(1)
			<-done
		}
		return time.Since(start)
	}
}
