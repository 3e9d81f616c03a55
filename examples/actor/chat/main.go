package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/examples/actor/internal/program"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

func main() { program.Main("chat", run) }

// run opens the room, has two guests come, talk and leave, and shows all that is said.
func run(to io.Writer) error { return open(to, nil) }

// open is run with a journal, if there is to be one.
func open(to, journal io.Writer) (err error) {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Clock: wallclock.New()}})
	world, err := fiberio.New(rt, fiberio.Config{Access: sandbox.Process()})
	if err != nil {
		return err
	}
	defer func() {
		rt.Close()
		err = errors.Join(err, world.Close(context.Background()))
	}()
	sys, err := goactor.New(rt, newRoom(), actor.Options[string]{})
	if err != nil {
		return err
	}
	if journal != nil {
		r, err := actor.Record(sys, journal, actor.JSON[string]())
		if err != nil {
			return err
		}
		defer r.Close()
	}
	var evening error
	if _, err := rt.Go("guests", func(f *stackful.Fiber) (any, error) {
		evening = visit(f, world, sys, to)
		return nil, sys.Outside().Kill(sys.Input(), evening)
	}); err != nil {
		return err
	}
	for out, err := range sys.All(context.Background()) {
		if err != nil {
			return err
		}
		fmt.Fprintln(to, "room:", out)
	}
	return evening
}

// visit opens the door and plays two guests. Each hears what the other does before the next
// thing is said, so that there is one order only.
func visit(f *stackful.Fiber, world *fiberio.World, sys *actor.System[string], to io.Writer) error {
	l, err := world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
	if err != nil {
		return err
	}
	if _, err := sys.Outside().Spawn(actor.Spec[string]{Name: "door", Start: goactor.Start(f.Runtime(), door(f.Runtime(), l))}); err != nil {
		return err
	}
	ada, grace := &visitor{name: "Ada", to: to}, &visitor{name: "Grace", to: to}
	return errors.Join(
		ada.comes(f, world, l), ada.hears(f),
		grace.comes(f, world, l), grace.hears(f), ada.hears(f),
		ada.says(f, "hello?"), grace.hears(f),
		grace.says(f, "hi Ada"), ada.hears(f),
		ada.says(f, "bye"), grace.hears(f),
		ada.conn.Close(), grace.hears(f),
		grace.conn.Close(), l.Close(),
	)
}
