package main

import (
	"context"
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/examples/actor/internal/program"
	"github.com/selvage-dev/selvage/scheduler"
)

func main() { program.Main("counter", run) }

// run counts, and shows what comes out until the counter has failed once too often.
func run(to io.Writer) error {
	sys, err := actor.New(scheduler.New[struct{}](scheduler.Config{}), nil, boss(), actor.Options[string]{})
	if err != nil {
		return err
	}
	for _, msg := range []string{"1", "2", "?", "many", "4", "?", "more", "5", "?", "yet more", "?"} {
		if err := sys.Dispatch(msg); err != nil {
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
