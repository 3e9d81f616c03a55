package goactor_test

import (
	"context"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/stackful"
)

// The root hands each request to an asynchronous actor, which takes its time over it.
func ExampleFunc() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	slow := func(f *stackful.Fiber, cx *actor.Context[string]) error {
		name, err := goactor.Recv(f, cx)
		if err == nil && f.Sleep(time.Second) == nil {
			err = cx.Send(actor.Output, fmt.Sprintf("%v: hello %s", f.Now(), name))
		}
		return err
	}
	root := func(cx *actor.Context[string], name string) {
		h, _ := cx.Spawn(actor.Spec[string]{Name: name, Start: goactor.Start(rt, slow)})
		cx.Send(h, name)
	}
	sys, _ := goactor.New(rt, actor.Spec[string]{New: actor.Stateless(root)}, actor.Options[string]{})
	sys.Dispatch("Ada")
	sys.Dispatch("Edsger")
	for out, err := range sys.All(context.Background()) {
		fmt.Println(out, err)
	}
	// Output:
	// 1s: hello Ada <nil>
	// 1s: hello Edsger <nil>
	//  actor: idle; all actors wait for messages
}
