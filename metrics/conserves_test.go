package metrics_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// A program does what it likes with its fibers; each scrape has every fiber in one place (I12).
func TestEachScrapeHasEveryFiberOnce(t *testing.T) {
	w, c := newWorld(t, scheduler.Config{}), patient()
	w.show(t, c)
	w.run(t, func(f *stackful.Fiber) {
		rapid.Check(t, func(t *rapid.T) { churn(t, w, f, func() { scrape(t, c).conserves(t) }) })
	})
}

func churn(t *rapid.T, w *world, f *stackful.Fiber, look func()) {
	var tasks []*stackful.Task
	some := func() *stackful.Task { return tasks[rapid.IntRange(0, len(tasks)-1).Draw(t, "task")] }
	spawn := func(fn stackful.Func) {
		task, err := w.rt.Go("", fn)
		require.NoError(t, err)
		tasks = append(tasks, task)
	}
	spawn(func(*stackful.Fiber) (any, error) { return nil, nil })
	for range rapid.IntRange(0, 20).Draw(t, "steps") {
		switch rapid.IntRange(0, 6).Draw(t, "step") {
		case 0:
			spawn(func(f *stackful.Fiber) (any, error) { return nil, f.Sleep(time.Hour) })
		case 1:
			spawn(func(f *stackful.Fiber) (any, error) { return nil, f.Yield() })
		case 2:
			_ = w.core().Kill(some().ID(), nil) // it may have ended
		case 3:
			_ = w.core().Attachments().Pause(some().ID())
		case 4:
			_ = w.core().Attachments().Resume(some().ID())
		case 5:
			require.NoError(t, f.Yield())
		case 6:
			w.beside(t, f, look)
		}
	}
	for _, task := range tasks {
		_ = w.core().Kill(task.ID(), nil)
	}
	w.beside(t, f, look)
}
