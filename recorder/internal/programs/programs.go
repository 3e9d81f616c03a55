package programs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// world is a random program of fibers that send, lock, sleep, spawn and wait for each other.
type world struct {
	rng    *rand.Rand
	chans  [3]*wait.Chan[int]
	mutex  wait.Mutex
	spawns int
}

// Run runs one to its end, which may be a deadlock, and ends its fibers. The same seed gives the same
// transitions. The error is that of a spawn.
func Run(seed uint64, cfg scheduler.Config, attach func(*scheduler.Core)) error {
	rt := stackful.New(stackful.Config{Config: cfg})
	defer rt.Close()
	attach(&rt.Scheduler().Core)
	w := &world{rng: rand.New(rand.NewPCG(seed, 1)), spawns: 40}
	for i := range w.chans {
		w.chans[i] = wait.NewChan[int](i % 2)
	}
	for i := range 6 {
		if _, err := rt.Go(fmt.Sprintf("root %d", i), w.body); err != nil {
			return err
		}
	}
	_ = rt.Run(context.Background())
	return nil
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
		return errors.Join(err, f.Unlock(&w.mutex))
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
