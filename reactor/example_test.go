package reactor_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
)

// sum is the payload of a fiber that adds up numbers, a few in each slice.
type sum struct {
	from, to, total int
	parts           int
}

// adder is the Machine of such fibers.
type adder struct{}

func (adder) Group(*sum) reactor.Group { return 0 } // they share nothing

func (adder) Resume(s *reactor.Slice[sum]) fiber.Outcome {
	p := s.Data
	for ; p.from < p.to; p.from++ {
		if s.Budget == 0 || s.Preempted() {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		s.Budget--
		p.total += p.from
	}
	return s.Return(p.total, nil)
}

func ExampleReactor() {
	r, err := reactor.New(reactor.Config{Workers: 4}, adder{})
	if err != nil {
		panic(err)
	}
	total, err := r.Run(context.Background(), sum{from: 1, to: 10_001})
	fmt.Println(total, err)
	// Output: 50005000 <nil>
}

// Slices take effect in the order of their hand-outs, so the run is reproducible.
func ExampleConfig() {
	env := func(name string) (string, bool) { return "3", name == "SELVAGE_WORKERS" }
	cfg, err := reactor.Config{Ordered: true, StallAfter: time.Millisecond}.FromEnv(env)
	fmt.Println(cfg.Workers, cfg.Ordered, err)
	_, err = reactor.Config{}.FromEnv(func(string) (string, bool) { return "lots", true })
	fmt.Println(errors.Is(err, reactor.ErrConfig))
	// Output:
	// 3 true <nil>
	// true
}

// halves is a Machine whose main fiber spawns another one: the slice leaves that to the owner.
type halves struct{ adder }

func (m halves) Resume(s *reactor.Slice[sum]) fiber.Outcome {
	if s.Data.parts == 1 {
		half := sum{from: 51, to: 101}
		s.Data.parts, s.Data.to = 0, 51
		s.Do(func(sc *scheduler.Scheduler[sum]) {
			id, _ := sc.Spawn(half)
			fmt.Println("spawned", id)
		})
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
	return m.adder.Resume(s)
}

func ExampleSlice() {
	r, _ := reactor.New(reactor.Config{}, halves{})
	fmt.Println(r.Run(context.Background(), sum{parts: 1}))
	// Output:
	// spawned f1.1
	// 1275 <nil>
}

// nap is an operation that sleeps; its answer is the instant of the wake-up.
type nap struct{ length time.Duration }

func (n nap) Begin(s *scheduler.Scheduler[fiber.Time], _ *fiber.Time) {
	s.Arm(fiber.Until(s.Now().After(n.length)))
}

func (n nap) End(s *scheduler.Scheduler[fiber.Time], woke *fiber.Time, _ fiber.Ticket, _ fiber.Result) {
	*woke = s.Now()
}

type sleeper struct{}

func (sleeper) Group(*fiber.Time) reactor.Group { return 0 }

func (sleeper) Resume(s *reactor.Slice[fiber.Time]) fiber.Outcome {
	if *s.Data == 0 {
		return s.Await(nap{time.Second})
	}
	return s.Return(*s.Data, nil)
}

func ExampleAwait() {
	r, _ := reactor.New(reactor.Config{}, sleeper{}) // inline: its time is virtual
	fmt.Println(r.Run(context.Background(), 0))
	// Output: 1s <nil>
}

func ExampleMachine() {
	var m reactor.Machine[sum] = adder{}
	for _, workers := range []int{0, 1, 8} {
		r, _ := reactor.New(reactor.Config{Workers: workers}, m)
		fmt.Println(r.Run(context.Background(), sum{to: 10}))
	}
	// Output:
	// 45 <nil>
	// 45 <nil>
	// 45 <nil>
}

// tally is a Machine whose fibers share a counter. They are one group, so no two of them run at
// the same time.
type tally struct {
	adder
	count *int
}

func (tally) Group(*sum) reactor.Group { return 1 }

func (t tally) Resume(s *reactor.Slice[sum]) fiber.Outcome {
	*t.count++
	return t.adder.Resume(s)
}

func ExampleGroup() {
	count := 0
	r, _ := reactor.New(reactor.Config{Workers: 4}, tally{count: &count})
	for range 99 {
		_, _ = r.Scheduler().Spawn(sum{})
	}
	_, err := r.Run(context.Background(), sum{})
	fmt.Println(count, err)
	// Output: 100 <nil>
}

// stubborn is a Machine whose slices ignore Preempted and end when they are released.
type stubborn struct {
	adder
	begun   func()
	release chan struct{}
}

func (d stubborn) Resume(s *reactor.Slice[sum]) fiber.Outcome {
	d.begun()
	<-d.release
	return s.Return(nil, nil)
}

// A slice that ignores two requests to end is reported, and its fiber is killed.
func ExampleConfig_stalled() {
	release := make(chan struct{})
	r, _ := reactor.New(reactor.Config{
		Workers: 1, StallAfter: time.Millisecond, Refusals: 2,
		Stalled: func(id fiber.RegularID, ran time.Duration) (kill error) {
			fmt.Println(id, "ran for 2ms:", ran >= 2*time.Millisecond)
			close(release)
			return errors.New("too slow")
		},
	}, stubborn{begun: func() {}, release: release})
	fmt.Println(r.Run(context.Background(), sum{}))
	// Output:
	// f0.1 ran for 2ms: true
	// <nil> scheduler: fiber killed: too slow
}

func ExampleStragglersError() {
	release := make(chan struct{})
	defer close(release)
	ctx, cancel := context.WithCancel(context.Background())
	r, _ := reactor.New(reactor.Config{Workers: 1, Drain: time.Millisecond}, stubborn{begun: cancel, release: release})
	_, err := r.Run(ctx, sum{})
	var left *reactor.StragglersError
	fmt.Println(errors.As(err, &left), errors.Is(err, context.Canceled))
	fmt.Println(err)
	// Output:
	// true true
	// reactor: the slices of [f0.1] did not end: context canceled
}
