package main

import (
	"context"
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/examples/actor/internal/program"
	"github.com/selvage-dev/selvage/stackful"
)

func main() { program.Main("pool", run) }

// run gives the pool five orders, one of which no worker can do.
func run(to io.Writer) error {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	sys, err := goactor.New(rt, newPool(rt), actor.Options[string]{
		Ended: func(d actor.Death) { fmt.Fprintf(to, "%s broke down: %v\n", d.Name, d.Cause) },
	})
	if err != nil {
		return err
	}
	for _, order := range []string{"shoes 3s", "miracle", "hat 1s", "gloves 4s", "scarf 2s"} {
		if err := sys.Dispatch(order); err != nil {
			return err
		}
	}
	for out, err := range sys.All(context.Background()) {
		if err != nil {
			fmt.Fprintln(to, err)
			break
		}
		fmt.Fprintln(to, out)
	}
	return nil
}
