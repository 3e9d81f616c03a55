package goactor_test

import (
	"context"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/stackful"
)

// order is a message of the pool.
type order struct {
	say  string
	from actor.Handle // who is free
	cost time.Duration
}

// pool hands orders to workers that are free, and keeps those that nobody can take yet.
type pool struct {
	idle []actor.Handle
	due  []order
}

func (p *pool) Handle(cx *actor.Context[order], o order) {
	if o.from != 0 {
		p.idle = append(p.idle, o.from)
	} else {
		p.due = append(p.due, o)
	}
	for len(p.idle) > 0 && len(p.due) > 0 {
		cx.Send(p.idle[0], p.due[0])
		p.idle, p.due = p.idle[1:], p.due[1:]
	}
}

// work is a worker: it says that it is free, takes an order, takes its time over it, and
// breaks down over one that costs nothing.
func work(f *stackful.Fiber, cx *actor.Context[order]) error {
	for {
		if err := cx.Send(cx.System().Input(), order{from: cx.Self()}); err != nil {
			return err
		}
		o, err := goactor.Recv(f, cx)
		if err != nil {
			return err
		}
		if o.cost == 0 {
			panic("cannot do " + o.say)
		}
		if err := f.Sleep(o.cost); err != nil {
			return err
		}
		cx.Send(actor.Output, order{say: fmt.Sprintf("%v: %s by %v", f.Now(), o.say, cx.Self())})
	}
}

// A pool of two workers, on virtual time. The one that breaks down is back after a second,
// and takes the next order as if nothing had happened.
func Example_workerPool() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	sys, _ := goactor.New(rt, actor.Spec[order]{
		Name:      "pool",
		Supervise: actor.Supervision{Strategy: actor.OneForOne, Backoff: time.Second},
		New: func(cx *actor.Context[order]) actor.Handler[order] {
			for range 2 {
				cx.Spawn(actor.Spec[order]{Name: "worker", Start: goactor.Start(rt, work)})
			}
			return &pool{}
		},
	}, actor.Options[order]{
		Ended: func(d actor.Death) { fmt.Println(d.Name, d.Actor, "failed:", d.Failed, "is restarted:", d.Restarts) },
	})
	for _, o := range []order{{say: "shoes", cost: 3 * time.Second}, {say: "a miracle"}, {say: "a hat", cost: time.Second}, {say: "gloves", cost: 4 * time.Second}} {
		sys.Dispatch(o)
	}
	for out, err := range sys.All(context.Background()) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(out.say)
	}
	// Output:
	// worker a3.1 failed: true is restarted: true
	// 2s: a hat by a3.1
	// 3s: shoes by a2.1
	// 6s: gloves by a3.1
	// actor: idle; all actors wait for messages
}
