package runlog_test

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/runlog"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// A fiber fails and is not joined, and the main one waits for a message that no fiber sends.
func ExampleLog() {
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{} // so that the output is always the same
		}
		return a
	}})
	log := runlog.New(runlog.Config{Logger: slog.New(handler)})
	cfg := scheduler.Config{Site: func(fiber.RegularID) string { return "main.x:3" }}
	log.Configure(&cfg)
	rt := stackful.New(stackful.Config{Config: cfg})
	defer rt.Close()
	_, _ = rt.Go("main", func(f *stackful.Fiber) (any, error) {
		_, _ = rt.Go("worker", func(*stackful.Fiber) (any, error) { return nil, errors.New("no disk") })
		_, _, err := stackful.Recv(f, wait.NewChan[int](0))
		return nil, err
	})
	log.Ended(rt.Scheduler().Inspect(), rt.Run(context.Background()))
	// Output:
	// level=ERROR msg="fiber failed" fiber=f1.1 name=worker reason="no disk"
	// level=ERROR msg="fiber is blocked" fiber=f0.1 name=main site=main.x:3 reason="chan (0 of 0 buffered, receivers waiting: 1, senders waiting: 0)"
	// level=ERROR msg=deadlock fibers=1 totals.spawned=2 totals.ended=1 totals.killed=0 totals.lost=0 totals.transitions=4
}
