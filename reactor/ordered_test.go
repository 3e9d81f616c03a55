package reactor_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// journal is what a run of chatting fibers did, in the order in which it took effect. How
// long the slices take is left to luck.
func journal(t *testing.T, cfg reactor.Config) string {
	var log strings.Builder
	r := newReactor(t, cfg)
	chans := []*wait.Chan[int]{wait.NewChan[int](0), wait.NewChan[int](2), wait.NewChan[int](1)}
	seeded := rand.New(rand.NewPCG(7, 7))
	dawdles := func(s *slice) {
		for range rand.IntN(200) {
			runtime.Gosched()
		}
		who, got := s.ID, s.Data.got
		s.Do(func(sc *sched) { fmt.Fprintln(&log, sc.Inspect().Transitions(), who, got) })
	}
	for n := range 20 {
		var acts []func(*slice) fiber.Outcome
		for range 20 {
			ch := chans[seeded.IntN(len(chans))]
			sending, group := seeded.IntN(2) == 0, seeded.IntN(3)
			acts = append(acts, func(s *slice) fiber.Outcome {
				dawdles(s)
				switch {
				case group == 0:
					return fiber.Outcome{Kind: fiber.TimesliceExpired}
				case sending:
					return s.Await(send{ch, s.Data.got + n})
				}
				return s.Await(receive{ch})
			})
		}
		enlist(t, r, reactor.Group(n%4), acts...)
	}
	_, err := run(r, receives(wait.NewChan[int](0)))
	fmt.Fprintln(&log, err != nil, r.Scheduler().Inspect().Transitions())
	return log.String()
}

func TestAnOrderedRunIsTheSameWithAnyNumberOfWorkers(t *testing.T) {
	want := journal(t, reactor.Config{InFlight: 6, Ordered: true})
	require.Greater(t, strings.Count(want, "\n"), 100)
	for _, workers := range []int{1, 2, 3, 8} {
		for range 5 {
			got := journal(t, reactor.Config{Workers: workers, InFlight: 6, Ordered: true})
			assert.Equal(t, want, got, "with %d workers", workers)
		}
	}
}

// Without the order that would be luck, or the test above shows nothing.
func TestARunThatIsNotOrderedGoesAsTheWorkersGo(t *testing.T) {
	want := journal(t, reactor.Config{InFlight: 6, Ordered: true})
	for range 1000 {
		if journal(t, reactor.Config{Workers: 4, InFlight: 6}) != want {
			return
		}
	}
	t.Error("a thousand runs went the same way")
}
