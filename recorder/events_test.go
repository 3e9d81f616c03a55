package recorder_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// world is a random program of fibers that send, lock, sleep, spawn and wait for each other. The same seed
// gives the same transitions.
type world struct {
	rng    *rand.Rand
	chans  [3]*wait.Chan[int]
	mutex  wait.Mutex
	spawns int
}

func run(t *testing.T, seed uint64, cfg scheduler.Config, attach func(*scheduler.Core)) {
	t.Helper()
	rt := stackful.New(stackful.Config{Config: cfg})
	defer rt.Close()
	attach(&rt.Scheduler().Core)
	w := &world{rng: rand.New(rand.NewPCG(seed, 1)), spawns: 40}
	for i := range w.chans {
		w.chans[i] = wait.NewChan[int](i % 2)
	}
	for i := range 6 {
		_, err := rt.Go(fmt.Sprintf("root %d", i), w.body)
		require.NoError(t, err)
	}
	_ = rt.Run(context.Background()) // it may end in a deadlock
}

func (w *world) body(f *stackful.Fiber) (any, error) {
	for range 4 + w.rng.IntN(20) {
		if err := w.act(f); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (w *world) act(f *stackful.Fiber) error {
	ch := w.chans[w.rng.IntN(len(w.chans))]
	switch w.rng.IntN(6) {
	case 0:
		_, _, err := stackful.RecvUntil(f, ch, f.Now()+fiber.Time(w.rng.IntN(5)))
		return err
	case 1:
		return stackful.SendUntil(f, ch, 1, f.Now()+fiber.Time(w.rng.IntN(5)))
	case 2:
		return f.Sleep(time.Duration(w.rng.IntN(4)))
	case 3:
		return f.Yield()
	case 4:
		if err := f.Lock(&w.mutex); err != nil {
			return err
		}
		err := f.Yield()
		return errorsJoin(err, f.Unlock(&w.mutex))
	}
	if w.spawns--; w.spawns < 0 {
		return nil
	}
	task, err := f.Runtime().Go("", w.body)
	if err == nil && w.rng.IntN(2) == 0 {
		_, err = f.Join(task)
	}
	return err
}

func errorsJoin(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// truth is what an observer receives: every change of state, and the fiber that was current.
func truth(t *testing.T, seed uint64) (changes []string) {
	t.Helper()
	var core *scheduler.Core
	run(t, seed, scheduler.Config{Observer: func(x scheduler.Transition) {
		by := core.Current()
		verb := ""
		switch x.Op.String() {
		case "Spawn":
			verb = "begins"
		case "Wake", "Deliver", "expire", "Cancel", "Kill", "Complete":
			if x.Answer == "woken" || x.Op.String() == "expire" {
				verb = "wakes"
			}
		case "Block", "YieldCurrent", "Exit":
			verb, by = "leaves", 0
		}
		if verb != "" {
			changes = append(changes, fmt.Sprint(x.ID, " ", verb, " ", by))
		}
	}}, func(c *scheduler.Core) { core = c })
	return changes
}

// recorded is the same of a recording.
func recorded(t *testing.T, seed uint64, exact bool) (changes []string) {
	t.Helper()
	r := recorder.New(recorder.Config{Exact: exact})
	cfg := scheduler.Config{}
	r.Configure(&cfg)
	run(t, seed, cfg, r.Attach)
	number := uint64(0)
	for e := range r.Events() {
		require.Equal(t, number, e.Number)
		number++
		verb := "wakes"
		switch {
		case e.From == fiber.Dead:
			verb = "begins"
		case e.EndsSlice():
			verb = "leaves"
		}
		changes = append(changes, fmt.Sprint(e.ID, " ", verb, " ", e.By))
	}
	return changes
}

func TestARecordingHasEveryChangeOfStateInOrder(t *testing.T) {
	for seed := range uint64(200) {
		want := truth(t, seed)
		require.Equal(t, want, recorded(t, seed, false), "seed %d", seed)
	}
}
