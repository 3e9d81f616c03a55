package goactor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// workers is a system whose root hands two messages to an asynchronous actor each; every answer comes
// out once.
func workers(ctx context.Context, cfg scheduler.Config, _ io.Writer) error {
	rt := stackful.New(stackful.Config{Config: cfg})
	defer rt.Close()
	worker := func(f *stackful.Fiber, cx *actor.Context[string]) error {
		m, err := goactor.Recv(f, cx)
		if err != nil {
			return err
		}
		return errors.Join(f.Yield(), cx.Send(actor.Output, m+"!"))
	}
	root := func(cx *actor.Context[string], m string) {
		h, err := cx.Spawn(actor.Spec[string]{Name: m, Start: goactor.Start(rt, worker)})
		if err = errors.Join(err, cx.Send(h, m)); err != nil {
			panic(err)
		}
	}
	sys, err := goactor.New(rt, actor.Spec[string]{New: actor.Stateless(root)}, actor.Options[string]{})
	if err != nil {
		return err
	}
	want := map[string]bool{"a!": true, "b!": true}
	for _, m := range []string{"a", "b"} {
		if err := sys.Dispatch(m); err != nil {
			return err
		}
	}
	for out, err := range sys.All(ctx) {
		if err != nil {
			break // idle
		}
		if !want[out] {
			return fmt.Errorf("output %q came twice, or was never sent", out)
		}
		delete(want, out)
	}
	if len(want) > 0 {
		return fmt.Errorf("%d outputs are lost", len(want))
	}
	return nil
}

func TestActorsKeepTheirPromisesUnderEverySchedule(t *testing.T) {
	r, err := explore.Search(t.Context(), explore.Guest(explore.Bounds{}, workers), explore.Options{Strategy: explore.Depth(explore.Unbounded), Runs: 100_000})
	require.NoError(t, err)
	require.Nil(t, r.Finding)
	require.Equal(t, "all schedules", r.Complete)
	t.Log(r.Runs, "schedules")
}
