package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/stackful"
)

// free is what a worker sends the pool: its handle stands behind it.
const free = "free "

// pool hands orders, as "shoes 3s", to free workers, and queues orders while none is free.
type pool struct {
	idle []actor.Handle
	due  []string
}

func (p *pool) Handle(cx *actor.Context[string], msg string) {
	if who, is := strings.CutPrefix(msg, free); is {
		h, err := actor.ParseHandle(who)
		if err != nil {
			panic(err)
		}
		p.idle = append(p.idle, h)
	} else {
		p.due = append(p.due, msg)
	}
	for len(p.idle) > 0 && len(p.due) > 0 {
		_ = cx.Send(p.idle[0], p.due[0])
		p.idle, p.due = p.idle[1:], p.due[1:]
	}
}

// work is a worker: it says that it is free, takes an order, takes its time over it, and breaks
// down over one that it cannot read.
func work(f *stackful.Fiber, cx *actor.Context[string]) error {
	for {
		if err := cx.Send(cx.System().Input(), free+cx.Self().String()); err != nil {
			return err
		}
		order, err := goactor.Recv(f, cx)
		if err != nil {
			return err
		}
		what, cost, _ := strings.Cut(order, " ")
		takes, err := time.ParseDuration(cost)
		if err != nil {
			panic("cannot do " + order)
		}
		if err := f.Sleep(takes); err != nil {
			return err
		}
		if err := cx.Send(actor.Output, fmt.Sprintf("%v: %s by %v", f.Now(), what, cx.Self())); err != nil {
			return err
		}
	}
}

// newPool is a supervisor with two workers.
func newPool(rt *stackful.Runtime) actor.Spec[string] {
	return actor.Spec[string]{
		Name:      "pool",
		Supervise: actor.Supervision{Strategy: actor.OneForOne, Backoff: time.Second},
		New: func(cx *actor.Context[string]) actor.Handler[string] {
			for _, name := range []string{"first", "second"} {
				if _, err := cx.Spawn(actor.Spec[string]{Name: name, Start: goactor.Start(rt, work)}); err != nil {
					panic(err)
				}
			}
			return &pool{}
		},
	}
}
