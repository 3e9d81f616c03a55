package reactor_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/replay"
	"github.com/selvage-dev/selvage/trace"
	"github.com/selvage-dev/selvage/wait"
)

// watched is a run of which snapshots are taken.
type watched struct {
	*testing.T
	r            *reactor.Reactor[payload]
	rng          *rand.Rand
	of           *observed
	chans        []*wait.Chan[int]
	locks        []*wait.Mutex
	shot         scheduler.Snapshot
	looks, lents int
}

// newWatched makes a reactor with two workers, whose transitions are observed and written down.
func newWatched(t *testing.T, seed uint64, to io.Writer) (*watched, *trace.Writer) {
	w := &watched{T: t, rng: rand.New(rand.NewPCG(seed, 0)), of: newObserved()}
	cfg := reactor.Config{Workers: 2, InFlight: 6}
	written := trace.New(to, &cfg.Config)
	write := cfg.Observer
	cfg.Observer = func(t scheduler.Transition) { write(t); w.of.observe(t) }
	w.r = newReactor(t, cfg)
	for n := range 3 {
		w.chans = append(w.chans, wait.NewChan[int](n))
		w.chans[n].SetName(fmt.Sprint("c", n))
	}
	for n := range 2 {
		w.locks = append(w.locks, wait.NewMutex(wait.HandOver))
		w.locks[n].SetName(fmt.Sprint("m", n))
	}
	return w, written
}

// step is a random one; each is taken on a worker.
func (w *watched) step() func(*slice) fiber.Outcome {
	ch, until := w.chans[w.rng.IntN(len(w.chans))], fiber.Time(w.rng.IntN(2e6))
	on := fmt.Sprintf("chan %q", ch.Name())
	what, looks := w.rng.IntN(5), w.rng.IntN(3) == 0
	return func(s *slice) fiber.Outcome {
		for range what * 20 {
			runtime.Gosched()
		}
		if looks {
			s.Do(w.look)
		}
		switch what {
		case 0:
			return s.Await(named{receive{ch}, w.of, on})
		case 1:
			return s.Await(named{send{ch, 1}, w.of, on})
		case 2:
			return fiber.BlockOn(fiber.Until(until))
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
}

// steps are random ones, and some under a lock.
func (w *watched) steps() (all []func(*slice) fiber.Outcome) {
	for range 10 {
		l := lock{w.of, w.locks[w.rng.IntN(len(w.locks))]}
		all = append(all, w.step(),
			func(s *slice) fiber.Outcome { return s.Await(l) }, w.step(),
			then(func(s *slice) { s.Do(l.unlock) }))
	}
	return all
}

// look compares a snapshot with what was observed. The owner calls it.
func (w *watched) look(s *sched) {
	w.shot = s.Inspect().Snapshot(w.shot)
	w.looks++
	require.Len(w, w.shot.Fibers, len(w.of.fibers))
	for i := range w.shot.Fibers {
		got := &w.shot.Fibers[i]
		want := w.of.fibers[got.ID]
		require.Equal(w, []any{want.state, want.lent}, []any{got.State, got.Lent}, "%v", got.ID)
		if got.Lent {
			w.lents++
		}
		if got.State == fiber.Blocked {
			require.Equal(w, want.reason, fiber.Reason{Kind: got.Kind, Deadline: got.Deadline, External: got.External}, "%v", got.ID)
		}
		w.compareObject(got, want)
	}
}

func (w *watched) compareObject(got *scheduler.FiberState, want *life) {
	on := w.shot.On(*got)
	if got.State != fiber.Blocked || want.on == "" {
		require.Empty(w, on, "%v", got.ID)
		return
	}
	require.Len(w, on, 1, "%v", got.ID)
	object := w.shot.Sources[on[0]]
	require.True(w, strings.HasPrefix(object.Name(), want.on+" ("), "%v waits on %v, not on %v", got.ID, object.Name(), want.on)
	var holders []fiber.ID
	if name, isLock := strings.CutPrefix(want.on, "mutex "); isLock {
		holders = []fiber.ID{w.of.holder[strings.Trim(name, `"`)]}
	}
	require.ElementsMatch(w, holders, w.shot.Holders(object))
}

// interrupt has the owner look between two steps of its loop, again and again until the run ends.
func (w *watched) interrupt(done context.Context) {
	for range 1000 {
		looked := make(chan struct{})
		if w.r.Scheduler().Inbox().Do(func() { w.look(w.r.Scheduler()); close(looked) }) != nil {
			return
		}
		select {
		case <-looked:
		case <-done.Done():
			return
		}
	}
}

// The transitions follow the specification, and every snapshot is the state after those before it.
func TestSnapshotsOfARunOnTwoWorkersAgreeWithItsTransitions(t *testing.T) {
	lents := 0
	for seed := range uint64(20) {
		var text bytes.Buffer
		w, written := newWatched(t, seed, &text)
		for n := range 12 {
			spawn(t, w.r, reactor.Group(n%5), w.steps()...)
		}
		done, end := context.WithCancel(context.Background())
		var others sync.WaitGroup
		others.Go(func() { w.interrupt(done) })
		var main []func(*slice) fiber.Outcome
		for range 100 {
			main = append(main, func(*slice) fiber.Outcome { return fiber.Outcome{Kind: fiber.TimesliceExpired} })
		}
		_, err := run(w.r, main...)
		end()
		others.Wait()
		require.NoError(t, err)
		require.NoError(t, written.Close())
		_, err = replay.Check(&text)
		require.NoError(t, err)
		lents += w.lents
	}
	require.Positive(t, lents, "no snapshot had a lent fiber")
}
