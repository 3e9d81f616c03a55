package goactor_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// line is a message of the chat room: somebody said something, came, or left.
type line struct {
	name, said string
	who        actor.Handle // with "comes"
}

// room sends what anybody says to everybody else, in the order of their coming.
type room struct{ present []line }

func (r *room) Handle(cx *actor.Context[line], l line) {
	r.present = slices.DeleteFunc(r.present, func(p line) bool { return p.name == l.name && l.said == "leaves" })
	for _, p := range r.present {
		if p.name != l.name {
			cx.Send(p.who, l)
		}
	}
	if l.said == "comes" {
		r.present = append(r.present, l)
		cx.Watch(l.who, func(actor.Death) line { return line{name: l.name, said: "leaves"} })
	}
}

// user is an asynchronous actor between a wire and the room: what the wire brings it says,
// what others say it writes. It ends when the wire does.
func user(name string, wire *wait.Chan[string]) goactor.Func[line] {
	return func(f *stackful.Fiber, cx *actor.Context[line]) error {
		cx.Send(cx.System().Input(), line{name: name, said: "comes", who: cx.Self()})
		typed, heard := wait.RecvFrom(wire), wait.RecvFrom(cx.Inbox())
		either := wait.NewSelect(typed, heard)
		for {
			which, err := f.Select(either)
			if err != nil {
				return err
			}
			if which == 1 {
				l, _ := heard.Value()
				cx.Send(actor.Output, line{said: fmt.Sprintf("%v %s's screen: %s %s", f.Now(), name, l.name, l.said)})
				continue
			}
			said, ok := typed.Value()
			if !ok {
				return nil
			}
			cx.Send(cx.System().Input(), line{name: name, said: "says " + said})
		}
	}
}

// typist is a fiber that is no actor: it types a line a second.
func typist(rt *stackful.Runtime, wire *wait.Chan[string], after time.Duration, lines string) {
	_, _ = rt.Go("typist", func(f *stackful.Fiber) (any, error) {
		if err := f.Sleep(after); err != nil {
			return nil, err
		}
		for said := range strings.SplitSeq(lines, "|") {
			if err := stackful.Send(f, wire, said); err != nil {
				return nil, err
			}
			if err := f.Sleep(time.Second); err != nil {
				return nil, err
			}
		}
		return nil, stackful.Close(f, wire)
	})
}

// chat is a system with a room and two users, who type for a while.
func chat(rt *stackful.Runtime) *actor.System[line] {
	sys, _ := goactor.New(rt, actor.Spec[line]{
		Name: "room",
		New:  func(*actor.Context[line]) actor.Handler[line] { return &room{} },
	}, actor.Options[line]{})
	for i, u := range []struct{ name, lines string }{{"Ada", "hello?|still there?"}, {"Grace", "hi Ada|bye"}} {
		wire := wait.NewChan[string](0)
		typist(rt, wire, time.Duration(i)*500*time.Millisecond, u.lines)
		sys.Outside().Spawn(actor.Spec[line]{Name: u.name, Start: goactor.Start(rt, user(u.name, wire))})
	}
	return sys
}

// A chat room whose users wait for their wires and for each other at once.
func Example_chatRoom() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	for out, err := range chat(rt).All(context.Background()) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(out.said)
	}
	// Output:
	// 0s Ada's screen: Grace comes
	// 0s Grace's screen: Ada says hello?
	// 500ms Ada's screen: Grace says hi Ada
	// 1s Grace's screen: Ada says still there?
	// 1.5s Ada's screen: Grace says bye
	// 2s Grace's screen: Ada leaves
	// actor: idle; all actors wait for messages
}
