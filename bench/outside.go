package main

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// listener is a fiber of P09 and P10, which other goroutines wake.
type listener struct {
	waker *scheduler.Waker
	done  bool
}

// house is a scheduler of listeners.
type house struct {
	s     *scheduler.Scheduler[listener]
	woken int
	heard func() // a listener was woken
}

func newHouse() *house {
	return &house{s: scheduler.New[listener](scheduler.Config{Clock: wallclock.New()}), heard: func() {}}
}

func (h *house) listener() *scheduler.Waker {
	w := h.s.Attachments().NewWaker()
	mustGet(h.s.Spawn(listener{waker: w}))
	return w
}

// run drives the scheduler until n wake-ups have arrived.
func (h *house) run(n int) {
	defer h.s.Inbox().NewSender().Close()
	l := h.s.Steps().Begin(context.Background())
	defer l.Close()
	for h.woken < n {
		f := h.s.ScheduleNext()
		if f == nil {
			if !h.s.Poll() {
				mustGet(l.Sleep())
			}
			continue
		}
		if f.Data.done {
			h.s.Claim()
			h.woken++
			h.heard()
		}
		f.Data.done = true
		t, _ := h.s.BlockOn(f.Data.waker.Source())
		must(f.Data.waker.Park(t))
	}
}

// parallel runs f on the number of threads that the rows of this file use.
func parallel(f func() time.Duration) time.Duration {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	return f()
}

// share is how many fibers one producer wakes, in turn.
const share = 16

// wakes is P09: n wakes of fibers by other goroutines.
func wakes(producers int) func(int) time.Duration {
	return func(n int) time.Duration {
		return parallel(func() time.Duration {
			h := newHouse()
			var wg sync.WaitGroup
			var over atomic.Bool
			start := time.Now()
			for range producers {
				var mine []*scheduler.Waker
				for range share {
					mine = append(mine, h.listener())
				}
				wg.Go(func() { wakeAll(mine, &over) })
			}
			h.run(n)
			took := time.Since(start)
			over.Store(true)
			wg.Wait()
			return took
		})
	}
}

// wakeAll wakes the fibers in turn, each as soon as it waits.
func wakeAll(wakers []*scheduler.Waker, over *atomic.Bool) {
	for !over.Load() {
		for _, w := range wakers {
			for !w.Wake(fiber.Result{Code: fiber.OK}) && !over.Load() {
				runtime.Gosched()
			}
		}
	}
}

// channelWakes is its peer: goroutines that each wait for a channel of their own, woken in turn
// as soon as they wait.
func channelWakes(producers int) func(int) time.Duration {
	return func(n int) time.Duration {
		each := (n + share*producers - 1) / (share * producers)
		return parallel(func() time.Duration {
			var waiters, wakers sync.WaitGroup
			start := time.Now()
			for range producers {
				mine := make([]chan int, share)
				for i := range mine {
					mine[i] = make(chan int)
					waiters.Go(func() {
						for range each {
							<-mine[i]
						}
					})
				}
				wakers.Go(func() {
					for range each {
						for _, ch := range mine {
							ch <- 1
						}
					}
				})
			}
			waiters.Wait()
			took := time.Since(start)
			wakers.Wait()
			return took
		})
	}
}

// channelSends is the other peer: no goroutine is woken; one goroutine receives from one channel,
// with the same capacity, what others send.
func channelSends(producers int) func(int) time.Duration {
	return func(n int) time.Duration {
		return parallel(func() time.Duration {
			ch, over := make(chan int, share*producers), make(chan struct{})
			var wg sync.WaitGroup
			start := time.Now()
			for range producers {
				wg.Go(func() {
					for {
						select {
						case ch <- 1:
						case <-over:
							return
						}
					}
				})
			}
			for range n {
				<-ch
			}
			took := time.Since(start)
			close(over)
			wg.Wait()
			return took
		})
	}
}

// idleFor is how long the fiber of P10 is idle before it is woken.
const idleFor = 5 * time.Microsecond

// fromIdle is P10: the median time from a wake-up, by a goroutine that continues to work, to the
// fiber's first step.
func fromIdle(n int) time.Duration {
	return parallel(func() time.Duration {
		h := newHouse()
		w := h.listener()
		var sent, ran atomic.Int64
		epoch := time.Now()
		var took []time.Duration
		h.heard = func() {
			now := int64(time.Since(epoch))
			took = append(took, time.Duration(now-sent.Load()))
			ran.Store(now)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			busyWaker(n, epoch, &sent, &ran, func() {
				for !w.Wake(fiber.Result{Code: fiber.OK}) {
				}
			})
		})
		h.run(n)
		wg.Wait()
		return medianOf(took)
	})
}

// busyWaker wakes n times, and keeps its thread busy in between.
func busyWaker(n int, epoch time.Time, sent, ran *atomic.Int64, wake func()) {
	for range n {
		for idle := time.Since(epoch); time.Since(epoch)-idle < idleFor; {
		}
		sent.Store(int64(time.Since(epoch)))
		wake()
		for ran.Load() < sent.Load() {
		}
	}
}

// channelFromIdle is its peer: a goroutine that receives.
func channelFromIdle(n int) time.Duration {
	return parallel(func() time.Duration {
		ch := make(chan struct{}, 1)
		var sent, ran atomic.Int64
		epoch := time.Now()
		var took []time.Duration
		var wg sync.WaitGroup
		wg.Go(func() { busyWaker(n, epoch, &sent, &ran, func() { ch <- struct{}{} }) })
		for range n {
			<-ch
			now := int64(time.Since(epoch))
			took = append(took, time.Duration(now-sent.Load()))
			ran.Store(now)
		}
		wg.Wait()
		return medianOf(took)
	})
}

func medianOf(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)/2]
}

func outsideRows() []row {
	return []row{
		{id: "P09", work: "wake from another thread, 1 producer", peer: "goroutines on channels", goal: 2, n: 200_000,
			ours: wakes(1), theirs: channelWakes(1)},
		{id: "P09", work: "wake from other threads, 4 producers", peer: "goroutines on channels", goal: 2, n: 200_000,
			ours: wakes(4), theirs: channelWakes(4)},
		{id: "P09", work: "the same, 1 producer", peer: "a channel, nobody woken", goal: 2, n: 200_000,
			ours: wakes(1), theirs: channelSends(1)},
		{id: "P09", work: "the same, 4 producers", peer: "a channel, nobody woken", goal: 2, n: 200_000,
			ours: wakes(4), theirs: channelSends(4)},
		{id: "P10", work: "idle to running, waker stays busy", peer: "channel", goal: 5, n: 2000, figure: true,
			ours: fromIdle, theirs: channelFromIdle},
	}
}
