package main

import (
	"errors"
	"io"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/stackful"
)

// wire is what a guest is connected by.
type wire interface {
	// ReadLine waits for a line; io.EOF when the guest has left.
	ReadLine(f *stackful.Fiber) (string, error)
	WriteLine(f *stackful.Fiber, line string) error
}

// ear is an actor that sends the room what comes over the wire, and that the guest has left.
func ear(name string, w wire, mouth actor.Handle) goactor.Func[string] {
	return func(f *stackful.Fiber, cx *actor.Context[string]) error {
		err := cx.Send(cx.System().Input(), "comes "+name+" "+mouth.String())
		for err == nil {
			var line string
			if line, err = w.ReadLine(f); err == nil {
				err = cx.Send(cx.System().Input(), "says "+name+" "+line)
			}
		}
		if errors.Is(err, io.EOF) {
			return cx.Send(cx.System().Input(), "leaves "+name)
		}
		return err
	}
}

// mouth is an actor that writes down the wire what it is sent.
func mouth(w wire) goactor.Func[string] {
	return func(f *stackful.Fiber, cx *actor.Context[string]) error {
		for {
			line, err := goactor.Recv(f, cx)
			if err == nil {
				err = w.WriteLine(f, line)
			}
			if err != nil {
				return err
			}
		}
	}
}

// admit spawns the two actors of a guest.
func admit(rt *stackful.Runtime, cx *actor.Context[string], name string, w wire) error {
	h, err := cx.Spawn(actor.Spec[string]{Name: name + "'s mouth", Start: goactor.Start(rt, mouth(w))})
	if err == nil {
		_, err = cx.Spawn(actor.Spec[string]{Name: name + "'s ear", Start: goactor.Start(rt, ear(name, w, h))})
	}
	return err
}
