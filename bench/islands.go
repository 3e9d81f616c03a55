package main

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// islandRows are about what crosses between two schedulers.
func islandRows() []row {
	rows := []row{
		{id: "I01", work: "cross-island ping-pong, one way", peer: "goroutines, a channel each way", goal: 2, n: 200_000,
			ours: islandRally, theirs: channelRally(false)},
		{id: "I01", work: "the same, two threads", peer: "goroutines locked to threads", goal: 2, n: 20_000,
			ours: islandRally, theirs: channelRally(true)},
	}
	if runtime.NumCPU() > 1 {
		rows = append(rows, row{id: "I01", work: "the same, and nothing but the two threads", peer: "a word each, spinning", goal: 0.5, n: 200_000,
			ours: islandRally, theirs: wordRally})
	}
	return rows
}

// rival is a fiber that receives from its port; got handles a value, and reports whether it was
// the last.
type rival struct {
	in     *island.Port[int]
	out    *island.Sender[int]
	got    func(p *rival, v int) (more bool)
	waited bool
}

// play runs a rival until it has to wait.
func play(s *scheduler.Scheduler[rival], f *scheduler.Fiber[rival]) fiber.Outcome {
	p := &f.Data
	if p.waited {
		p.waited = false
		t, _ := s.Claim()
		if v, ok := p.in.Collect(t); !ok || !p.got(p, v) {
			return fiber.Outcome{Kind: fiber.Done}
		}
	}
	for {
		v, status := p.in.TryRecv()
		if status == wait.Empty {
			p.waited = true
			must(p.in.ParkRecv(s.ArmOn(p.in.Source()), 0))
			return fiber.BlockOn(fiber.OnQueue())
		}
		if status == wait.Closed || !p.got(p, v) {
			return fiber.Outcome{Kind: fiber.Done}
		}
	}
}

// side is an island with a rival that has not started.
type side struct {
	*island.Handle[rival]
	port *island.Port[int]
	hold *scheduler.Sender
}

func newSide(r *island.Registry, name string, capacity int) *side {
	s := new(side)
	s.Handle = mustGet(island.Start(r, island.StartConfig[rival]{
		Config:  island.Config{Name: name},
		Machine: scheduler.MachineFunc[rival](play),
		Begin: func(h *island.Handle[rival]) (err error) {
			s.hold = h.Scheduler.Inbox().NewSender()
			s.port, err = island.Open[int](h.Island, name, capacity)
			return err
		},
	}))
	return s
}

// own runs f on the island's owner.
func (s *side) own(f func()) {
	var done sync.WaitGroup
	done.Add(1)
	must(s.Scheduler.Inbox().Do(func() { f(); done.Done() }))
	done.Wait()
}

// against makes the rival, which sends to the other side.
func (s *side) against(other string, got func(*rival, int) bool) {
	s.own(func() {
		out := mustGet(island.Dial[int](s.Island, other))
		mustGet(s.Scheduler.Spawn(rival{in: s.port, out: out, got: got}))
	})
}

// islandRally is n values, each sent by the receiver of the one before.
func islandRally(n int) time.Duration {
	return parallel(func() time.Duration {
		got := func(p *rival, v int) (more bool) {
			if v < n {
				_, err := p.out.TrySend(v + 1)
				must(err)
			}
			return v+1 < n
		}
		r := new(island.Registry)
		a, b := newSide(r, "a", 1), newSide(r, "b", 1)
		a.against("b", got)
		b.against("a", got)
		a.hold.Close()
		b.hold.Close()
		start := time.Now()
		a.own(func() {
			serve := mustGet(island.Dial[int](a.Island, "a"))
			mustGet(serve.TrySend(1))
		})
		must(a.Wait(context.Background()))
		must(b.Wait(context.Background()))
		return time.Since(start)
	})
}

// channelRally is its peer. Two goroutines that wait for each other share one thread, unless each
// is locked to its own.
func channelRally(locked bool) func(int) time.Duration {
	return func(n int) time.Duration {
		return parallel(func() time.Duration {
			toA, toB := make(chan int, 1), make(chan int, 1)
			play := func(in <-chan int, out chan<- int) {
				if locked {
					runtime.LockOSThread()
					defer runtime.UnlockOSThread()
				}
				for v := 0; v+1 < n; {
					if v = <-in; v < n {
						out <- v + 1
					}
				}
			}
			var wg sync.WaitGroup
			start := time.Now()
			wg.Go(func() { play(toA, toB) })
			wg.Go(func() { play(toB, toA) })
			toA <- 1
			wg.Wait()
			return time.Since(start)
		})
	}
}

// wordRally is the lower bound of a transfer between two processors: two goroutines that each
// poll a word written by the other.
func wordRally(n int) time.Duration {
	return parallel(func() time.Duration {
		type word struct {
			atomic.Int64
			_ [120]byte
		}
		var words [2]word
		var wg sync.WaitGroup
		start := time.Now()
		for k := range words {
			mine, other := &words[k], &words[1-k]
			wg.Go(func() {
				for v := int64(k); v < int64(n); v += 2 {
					for other.Load() != v {
					}
					mine.Store(v + 1)
				}
			})
		}
		wg.Wait()
		return time.Since(start)
	})
}
