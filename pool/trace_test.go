package pool_test

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/pool"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/replay"
	"github.com/selvage-dev/selvage/trace"
)

// traced is a fiber of a pool. It first spawns others; all of them run until some have been
// stolen by other workers.
type traced struct{ others, home int }

// tracedMachine runs them on one worker.
type tracedMachine struct {
	worker int
	taken  *atomic.Int64 // how many ran elsewhere than where they were spawned
}

// enough of them have moved.
const enough = 3

func (e tracedMachine) Resume(s *scheduler.Scheduler[traced], f *scheduler.Fiber[traced]) fiber.Outcome {
	for ; f.Data.others > 0; f.Data.others-- {
		if _, err := s.Fork(traced{home: e.worker}); err != nil {
			panic(err)
		}
		f.Data.home = e.worker
	}
	if f.Data.home != e.worker {
		e.taken.Add(1)
		f.Data.home = e.worker
	}
	if e.taken.Load() < enough {
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
	return fiber.Outcome{Kind: fiber.Done}
}

// The trace of each worker follows the specification, including the fibers that move in and out.
func TestTheTraceOfEveryWorkerFollowsTheSpecification(t *testing.T) {
	const workers = 3
	var taken atomic.Int64
	var text [workers]bytes.Buffer
	var traces [workers]*trace.Writer
	p, err := pool.New(pool.Config[traced]{
		Workers: workers, CheckEvery: 4,
		Machine: func(worker int) scheduler.Machine[traced] { return tracedMachine{worker, &taken} },
		Scheduler: func(worker int) scheduler.Config {
			c := scheduler.Config{Number: uint16(worker + 1)}
			traces[worker] = trace.New(&text[worker], &c)
			return c
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Spawn(traced{others: 500}); err != nil {
		t.Fatal(err)
	}
	if err := p.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	in, out := 0, 0
	for i := range traces {
		if err := traces[i].Close(); err != nil {
			t.Fatal(err)
		}
		in += strings.Count(text[i].String(), `"says":"in"`)
		out += strings.Count(text[i].String(), `"says":"out"`)
		report, err := replay.Check(&text[i])
		if err != nil {
			t.Errorf("worker %d: %v", i, err)
		}
		t.Logf("worker %d: %+v", i, report)
	}
	if in != out || in < enough {
		t.Errorf("%d moved in, %d out", in, out)
	}
}
