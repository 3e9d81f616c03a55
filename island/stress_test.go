package island_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/require"
)

var hammer = flag.Duration("hammer", 0, "how long islands come and go under TestNothingIsLostWhileIslandsComeAndGo, one round in any case")

// accounts is what every sender has sent and what was received of it.
type accounts struct {
	mu    sync.Mutex
	lines []*line
}

// line is one Sender's: what it has sent and what was read are counted from 0 on, without
// a gap.
type line struct {
	sent, read atomic.Int64
	port       *life
}

// life is one island's.
type life struct {
	*islandtest.Running
	port  *island.Port[[2]int]
	ended bool // by a shutdown: what it had not read is gone with it
}

func (l *accounts) open(to *life) (n int, ln *line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, &line{port: to})
	return len(l.lines) - 1, l.lines[len(l.lines)-1]
}

func (l *accounts) at(n int) *line {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines[n]
}

// read reads the port until its end.
func (l *accounts) read(f *stackful.Fiber, to *life) error {
	for {
		v, ok, err := islandtest.Receive(f, to.port)
		if err != nil || !ok {
			return err
		}
		ln := l.at(v[0])
		if want := ln.read.Add(1) - 1; int64(v[1]) != want || ln.port != to {
			return fmt.Errorf("sender %d: %d came, want %d", v[0], v[1], want)
		}
	}
}

// write sends through a Sender of its own until that is refused, or enough was sent.
func (l *accounts) write(f *stackful.Fiber, from *life, to *life, most int) error {
	s, err := island.Dial[[2]int](from.Island, to.port.Name())
	if err != nil {
		return nil // it is gone already
	}
	n, ln := l.open(to)
	for v := range most {
		if err := islandtest.Send(f, s, [2]int{n, v}); err != nil {
			if errors.As(err, new(*stackful.Interrupt)) {
				return err // killed: the island has ended
			}
			return nil // refused: that island has
		}
		ln.sent.Add(1)
	}
	return s.Close()
}

func begin(t *testing.T, stacks stackful.Backing, r *island.Registry, l *accounts, n int) *life {
	b := &life{Running: islandtest.StartOn(t, stacks, r, fmt.Sprint("life ", n), island.Config{})}
	b.port = islandtest.Open[[2]int](b.Running, fmt.Sprint("port ", n), 1<<(n%5))
	b.Go("reader", func(f *stackful.Fiber) error { return l.read(f, b) })
	return b
}

// Islands come and go while their fibers send to each other. Whatever a Sender was told it
// has sent is read by a port that lives, each value once and in order; of what a port that
// has ended had, a part. Nothing but the registry outlasts a round; and as the race detector
// keeps something of each coroutine (stackful.Coroutine), only the first round is on those.
func TestNothingIsLostWhileIslandsComeAndGo(t *testing.T) {
	r, end := new(island.Registry), time.Now().Add(*hammer)
	stacks := stackful.Coroutine
	for round := uint64(1); round == 1 || time.Now().Before(end) && !t.Failed(); round++ {
		t.Run(fmt.Sprint(round), func(t *testing.T) { comeAndGo(t, stacks, r, rand.New(rand.NewPCG(round, 1))) })
		stacks = stackful.Goroutine
	}
}

// comeAndGo is a hundred lives, four at a time.
func comeAndGo(t *testing.T, stacks stackful.Backing, r *island.Registry, rng *rand.Rand) {
	l := new(accounts)
	var living []*life
	var writers []<-chan error
	for lives := 0; lives < 100; {
		for len(living) < 4 {
			b := begin(t, stacks, r, l, lives)
			living, lives = append(living, b), lives+1
		}
		for range 6 {
			from, to := living[rng.IntN(len(living))], living[rng.IntN(len(living))]
			most := rng.IntN(200)
			writers = append(writers, from.Go("writer", func(f *stackful.Fiber) error { return l.write(f, from, to, most) }))
		}
		k := rng.IntN(len(living))
		living[k].ended = true
		living[k].Stop(errors.New("its time has come"))
		living = append(living[:k], living[k+1:]...)
	}
	for _, w := range writers {
		if err := <-w; err != nil && !errors.Is(err, scheduler.ErrStopped) { // its island ended before it began
			require.ErrorContains(t, err, "its time has come")
		}
	}
	for _, b := range living {
		b.Own(b.port.Seal)
		b.Hold.Close()
		<-b.Done
		require.NoError(t, b.Err)
	}
	for n, ln := range l.lines {
		sent, read := ln.sent.Load(), ln.read.Load()
		if !ln.port.ended && read != sent && read != sent+1 { // killed between the send and its note
			t.Errorf("sender %d has sent %d, %d were read", n, sent, read)
		}
	}
}
