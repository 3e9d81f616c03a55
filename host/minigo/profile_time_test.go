package minigo_test

import (
	"context"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/scheduler"
)

// ticked runs a program in which a millisecond passes in each call of clock.Tick, and in Each, which calls a
// function of the program too.
func ticked(t *testing.T, cfg minigo.Config, p *profile.Profile, program string) *pprof.Profile {
	t.Helper()
	var l minigo.Library
	tick := func() { p.Advance(time.Millisecond) }
	require.NoError(t, l.Bind("host/clock.Tick", bind.Must(bind.New(tick))))
	require.NoError(t, l.Bind("host/clock.Each", bind.Must(bind.New(func(n int, f func(int)) {
		for i := range n {
			f(i)
			tick()
		}
	}))))
	compiled, err := l.Compile(minigo.File{Name: "p.go", Text: []byte(program)})
	require.NoError(t, err)
	cfg.Profile = p
	h, err := minigo.New(compiled, cfg)
	require.NoError(t, err)
	defer h.Close()
	require.NoError(t, h.Run(t.Context()))
	return p.Copy()
}

func byTest(t *testing.T) *profile.Profile {
	p := profile.Start(profile.Config{Interval: -1})
	t.Cleanup(p.Stop)
	return p
}

func milliseconds(p *pprof.Profile) map[string]int64 {
	all := stacks(p)
	for stack, n := range all {
		all[stack] = n / int64(time.Millisecond)
	}
	return all
}

func TestTheTimeOfAGoFunctionCountsToItsCall(t *testing.T) {
	require.Equal(t, map[string]int64{
		"host/clock.Tick < main.work:6 < main.main:16":                                   1,
		"host/clock.Tick < main.worker.Do:11 < main.main:18":                             1,
		"host/clock.Tick < clock.Tick < main.main.func1:21 < main.main:19":               1, // the deferred one
		"host/clock.Tick < main.work:6 < main.main.func2:22 < clock.Each < main.main:22": 2,
		"host/clock.nextEach < clock.Each < main.main:22":                                2,
		"host/clock.Tick < main.main.func3:25":                                           1,
	}, milliseconds(ticked(t, minigo.Config{}, byTest(t), `package main

import "host/clock"

func work() {
	clock.Tick()
}

type worker struct{}

func (worker) Do() { clock.Tick() }

type doer interface{ Do() }

func main() {
	work()
	var d doer = worker{}
	d.Do()
	func() {
		defer clock.Tick()
	}()
	clock.Each(2, func(int) { work() })
	done := make(chan bool)
	go func() {
		clock.Tick()
		close(done)
	}()
	<-done
}
`)))
}

// While no sample is due soon, the interpreter looks for one only after many calls and jumps back.
func TestTimeThatIsFoundLateCountsToTheNextSample(t *testing.T) {
	p := profile.Start(profile.Config{Interval: time.Hour})
	defer p.Stop()
	require.Equal(t, map[string]int64{"main.main:7": 1}, milliseconds(ticked(t, minigo.Config{}, p, `package main

import "host/clock"

func main() {
	clock.Tick()
	for i := 0; i < 1000; i++ {
	}
}
`)))
}

func TestTimeInWhichNoFiberExecutesCountsToNone(t *testing.T) {
	p := byTest(t)
	var cfg minigo.Config
	cfg.Scheduler.Clock = &sleeper{VirtualClock: scheduler.NewVirtualClock(), slept: func() { p.Advance(time.Hour) }}
	p.Advance(time.Hour)
	got := ticked(t, cfg, p, `package main

import (
	"host/clock"
	"time"
)

func main() {
	time.Sleep(time.Second)
	clock.Tick()
	done := make(chan bool)
	go func() {
		time.Sleep(time.Second)
		close(done)
	}()
	<-done
}
`)
	p.Advance(time.Hour)
	require.Equal(t, map[string]int64{"host/clock.Tick < main.main:10": 1}, milliseconds(got))
}

// sleeper is a clock that tells when the loop sleeps.
type sleeper struct {
	*scheduler.VirtualClock
	slept func()
}

func (s *sleeper) Wait(ctx context.Context, until fiber.Time, wake <-chan struct{}) {
	s.slept()
	s.VirtualClock.Wait(ctx, until, wake)
}
