package reactor_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var hammering = flag.Duration("hammer", 0, "how long to hammer, at least; eight rounds in any case")

// hammer is a reactor full of fibers that do at random everything there is, to each other
// too. What a group's slices touch is one of shared: the race detector and the counts see
// two of them at once.
type hammer struct {
	r      *reactor.Reactor[player]
	chans  []*wait.Chan[int]
	shared [5]int // by group
	inside [5]bool
	acts   int // applied
	enough int
}

func (h *hammer) act(rnd *rand.Rand) func(*slice) fiber.Outcome {
	choice, ch, n := rnd.IntN(100), h.chans[rnd.IntN(len(h.chans))], rnd.Uint32()
	return func(s *slice) fiber.Outcome {
		if g := s.Data.group; g > 0 {
			if h.inside[g] {
				panic("two slices of one group")
			}
			h.inside[g] = true
			h.shared[g]++
			runtime.Gosched()
			h.inside[g] = false
		}
		s.Data.at = int(n) % len(s.Data.acts)
		s.Do(h.applied)
		switch {
		case choice < 25:
			return s.Await(receive{ch})
		case choice < 50:
			return s.Await(send{ch, choice})
		case choice < 60:
			return fiber.BlockOn(fiber.Until(s.Now.After(time.Duration(n % 100_000))))
		case choice < 70:
			return s.Await(work{h.r.IO(), func(context.Context) int { runtime.Gosched(); return 1 }})
		case choice < 73:
			s.Do(func(sc *sched) { _ = sc.Kill(h.somebody(sc, n), nil) })
		case choice < 76:
			s.Do(func(sc *sched) { _ = sc.Cancel(h.somebody(sc, n), nil) })
		case choice < 78:
			panic("at random")
		case choice < 79:
			runtime.Goexit()
		case choice < 82:
			return s.Return(nil, errors.New("at random"))
		case choice < 86:
			return fiber.Outcome{Kind: fiber.FrameChanged}
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
}

// applied counts, and puts a new fiber in the place of each that has died.
func (h *hammer) applied(s *sched) {
	h.acts++
	for s.Inspect().Live() < 40 {
		rnd := rand.New(rand.NewPCG(uint64(h.acts), s.Inspect().Transitions()))
		p := player{group: reactor.Group(rnd.IntN(len(h.shared)))}
		for range 30 {
			p.acts = append(p.acts, h.act(rnd))
		}
		if _, err := s.Spawn(p); err != nil {
			return // the run is over
		}
	}
}

// somebody is any fiber but main, which is the first.
func (h *hammer) somebody(s *sched, n uint32) fiber.ID {
	id, err := s.Inspect().Lookup(fiber.Raw(1 + n%39))
	if err != nil {
		return 0
	}
	return id
}

func TestUnderTheHammerNothingIsLostAndNoGroupRunsTwice(t *testing.T) {
	last := *hammering
	if *long {
		last = time.Hour
	}
	for round, began := 0, time.Now(); round < 8 || time.Since(began) < last; round++ {
		h := &hammer{enough: 3000, chans: []*wait.Chan[int]{wait.NewChan[int](0), wait.NewChan[int](1), wait.NewChan[int](8)}}
		r, err := reactor.New(reactor.Config{
			Workers: 1 + round%4, Ordered: round%3 == 0, Slice: time.Hour,
			Config: scheduler.Config{Seed: uint64(round), Budget: 20},
		}, theatre{})
		require.NoError(t, err)
		h.r = r
		_, err = run(r, func(s *slice) fiber.Outcome {
			data := s.Data
			s.Do(h.applied)
			s.Do(func(*sched) {
				if h.acts < h.enough {
					data.at = 0
				}
			})
			return fiber.BlockOn(fiber.Until(s.Now.After(10 * time.Microsecond)))
		})
		require.NoError(t, err)
		c, io := r.Scheduler().Inspect().Counts(), r.Scheduler().Ops().Counters()
		assert.Zero(t, r.Scheduler().Inspect().Live()+r.Scheduler().Moves().Lent())
		assert.Equal(t, c.Spawned, c.Ended)
		assert.Equal(t, io.Submitted, io.Completed+io.Late)
		r.Scheduler().Inspect().Verify()
	}
}
