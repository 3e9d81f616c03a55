package inspect_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// world is fibers that wait at random. Operations are completed by the fibers themselves.
type world struct {
	*testing.T
	rt     *stackful.Runtime
	rng    *rand.Rand
	locks  [2]*wait.Mutex
	ch     *wait.Chan[int]
	tokens []fiber.Token // begun and not completed
	seen   map[string]int
}

func (w *world) body(f *stackful.Fiber) (any, error) {
	for range 30 {
		w.step(f)
		w.check()
	}
	return nil, nil
}

// step may time out, or find its lock taken.
func (w *world) step(f *stackful.Fiber) {
	soon := f.Within(time.Duration(1 + w.rng.IntN(7)))
	switch l := w.locks[w.rng.IntN(2)]; w.rng.IntN(6) {
	case 0:
		if f.LockUntil(l, soon) == nil {
			_ = f.Sleep(3)
			_ = f.Unlock(l)
		}
	case 1:
		_, _, _ = stackful.RecvUntil(f, w.ch, soon)
	case 2:
		_ = stackful.SendUntil(f, w.ch, 1, soon)
	case 3:
		_, _ = f.OperateUntil(func(tok fiber.Token) error { w.tokens = append(w.tokens, tok); return nil }, soon)
	case 4:
		for _, tok := range w.tokens {
			w.rt.Scheduler().Ops().Complete(tok, ioqueue.Completion{})
		}
		w.tokens = nil
	default:
		_ = f.Yield()
	}
}

// check compares the parts of a report with each other: whatever is in two of them is the same.
func (w *world) check() {
	r := inspect.NewReport(w.rt.Scheduler().Inspect(), "")
	require.Equal(w, w.rt.Scheduler().Inspect().Transitions(), r.Transitions)
	fibers, deadlines := map[string]inspect.Fiber{}, map[string]int64{}
	for _, f := range r.Fibers {
		fibers[f.ID] = f
		if f.Deadline != nil {
			deadlines[f.ID] = *f.Deadline
		}
		w.seen[f.State+" "+f.Reason]++
	}
	for _, e := range r.Edges {
		require.Equal(w, "queue", fibers[e.Fiber].Reason, "only who waits has an edge")
		for _, holder := range r.Objects[*e.Object].Holders {
			require.Contains(w, fibers, holder)
			require.NotEqual(w, holder, e.Fiber)
			w.seen["held"]++
		}
	}
	for _, t := range r.Timers.Next {
		require.Equal(w, "wait", t.Kind)
		require.Equal(w, deadlines[t.Fiber], t.Deadline)
		delete(deadlines, t.Fiber)
	}
	require.Empty(w, deadlines, "each deadline is a timer")
	waiting := 0
	for _, o := range r.Operations.List {
		if o.State == "awaited" {
			require.Equal(w, "io", fibers[o.Fiber].Reason)
			waiting++
		}
		w.seen[o.State]++
	}
	require.Equal(w, r.Operations.Awaited, waiting)
	for _, f := range r.Fibers {
		if f.Reason == "io" {
			waiting--
		}
	}
	require.Zero(w, waiting, "each fiber that waits for an operation awaits one")
}

func TestAllOfAReportIsOfOneMoment(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(8) {
		w := &world{T: t, rt: stackful.New(stackful.Config{}), rng: rand.New(rand.NewPCG(seed, 0)), ch: wait.NewChan[int](1), seen: seen}
		for i := range w.locks {
			w.locks[i] = wait.NewMutex(wait.HandOver)
		}
		for range 8 {
			_, err := w.rt.Go("", w.body)
			require.NoError(t, err)
		}
		require.NoError(t, w.rt.Run(context.Background()))
		w.rt.Close()
	}
	for _, what := range []string{"blocked queue", "blocked timer", "blocked io", "held", "awaited", "abandoned"} {
		require.Greater(t, seen[what], 10, what)
	}
}
