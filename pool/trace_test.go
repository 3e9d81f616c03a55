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

// errand is a fiber of a pool. It first spawns others; all of them stay until some have been
// taken to other workers.
type errand struct{ others, home int }

// errands are run by one worker of a pool.
type errands struct {
	worker int
	taken  *atomic.Int64 // how many ran elsewhere than where they were spawned
}

// enough of them have moved.
const enough = 3

func (e errands) Resume(s *scheduler.Scheduler[errand], f *scheduler.Fiber[errand]) fiber.Outcome {
	for ; f.Data.others > 0; f.Data.others-- {
		if _, err := s.Fork(errand{home: e.worker}); err != nil {
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

// The trace of each worker follows the specification, with all who came and went.
func TestTheTraceOfEveryWorkerFollowsTheSpecification(t *testing.T) {
	const workers = 3
	var taken atomic.Int64
	var text [workers]bytes.Buffer
	var traces [workers]*trace.Writer
	p, err := pool.New(pool.Config[errand]{
		Workers: workers, CheckEvery: 4,
		Machine: func(worker int) scheduler.Machine[errand] { return errands{worker, &taken} },
		Scheduler: func(worker int) scheduler.Config {
			c := scheduler.Config{Number: uint16(worker + 1)}
			traces[worker] = trace.New(&text[worker], &c)
			return c
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Spawn(errand{others: 500}); err != nil {
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
