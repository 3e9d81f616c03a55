package actor_test

import (
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/scheduler"
)

func selfSender() *actor.System[int] {
	sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil,
		actor.Spec[int]{New: actor.Stateless(func(cx *actor.Context[int], n int) {
			if n > 0 {
				cx.Send(cx.Self(), n-1)
			}
		})}, actor.Options[int]{})
	if err != nil {
		panic(err)
	}
	return sys
}

// fan is a root that sends each message on to all its children.
func fan(width int) *actor.System[int] {
	var children []actor.Handle
	sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, actor.Spec[int]{
		New: func(cx *actor.Context[int]) actor.Handler[int] {
			for range width {
				h, _ := cx.Spawn(actor.Spec[int]{New: actor.Stateless(func(*actor.Context[int], int) {})})
				children = append(children, h)
			}
			return actor.HandlerFunc[int](func(cx *actor.Context[int], n int) {
				for _, h := range children {
					cx.Send(h, n)
				}
			})
		}}, actor.Options[int]{})
	if err != nil {
		panic(err)
	}
	return sys
}

func TestCommandsAllocateNothing(t *testing.T) {
	for name, sys := range map[string]*actor.System[int]{"self-send": selfSender(), "fan-out": fan(10_000)} {
		cost := testing.AllocsPerRun(10, func() {
			sys.Dispatch(1000)
			for sys.Turn() {
			}
		})
		if cost > 0 {
			t.Errorf("%s: %v allocations", name, cost)
		}
	}
}

func BenchmarkSelfSend(b *testing.B) {
	sys := selfSender()
	sys.Dispatch(b.N)
	for sys.Turn() {
	}
}

func BenchmarkFanOut50k(b *testing.B) {
	const width = 50_000
	sys := fan(width)
	for sys.Turn() {
	}
	b.ResetTimer()
	for n := 0; n < b.N; n += width {
		sys.Dispatch(1)
		for sys.Turn() {
		}
	}
}
