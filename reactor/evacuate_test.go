package reactor_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bomb is an operation whose methods panic: Begin at once, or End.
type bomb struct{ later bool }

func (b bomb) Begin(s *sched, _ *player) {
	if !b.later {
		panic("bang")
	}
	s.Arm(fiber.Until(s.Now()))
}

func (bomb) End(*sched, *player, fiber.Ticket, fiber.Result) { panic("bang") }

func TestAPanicOfTheOwnerGoesOnWhenAllGoroutinesHaveEnded(t *testing.T) {
	for where, act := range map[string]func(*slice) fiber.Outcome{
		"Slice.Do": func(s *slice) fiber.Outcome {
			s.Do(func(*sched) { panic("bang") })
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		},
		"Await.Begin": func(s *slice) fiber.Outcome { return s.Await(bomb{}) },
		"Await.End":   func(s *slice) fiber.Outcome { return s.Await(bomb{later: true}) },
	} {
		t.Run(where, func(t *testing.T) {
			r := newReactor(t, reactor.Config{Workers: 3, InFlight: 8, Slice: time.Hour, Drain: time.Hour})
			begun, spinning := make(chan struct{}), make(chan struct{})
			var sliceEnded, workEnded bool // by goroutines that are joined: no lock
			enlist(t, r, 0, func(s *slice) fiber.Outcome {
				close(spinning)
				for !s.Preempted() {
					runtime.Gosched()
				}
				sliceEnded = true
				return fiber.Outcome{Kind: fiber.TimesliceExpired}
			})
			enlist(t, r, 0, func(s *slice) fiber.Outcome {
				return s.Await(work{r.IO(), func(ctx context.Context) int {
					close(begun)
					<-ctx.Done()
					workEnded = true
					return 0
				}})
			})
			assert.PanicsWithValue(t, "bang", func() {
				_, _ = run(r, func(s *slice) fiber.Outcome {
					<-begun
					<-spinning
					return act(s)
				})
			})
			assert.True(t, sliceEnded, "a slice goes on")
			assert.True(t, workEnded, "work goes on")
			_, err := r.IO().Close(context.Background())
			require.NoError(t, err, "it is closed already")
		})
	}
}

// A worker that does not heed is waited for no longer than a run that is over would.
func TestAPanicOfTheOwnerIsNotKeptForEver(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2, Drain: time.Millisecond})
	deaf, release, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	enlist(t, r, 0, func(*slice) fiber.Outcome {
		defer close(gone)
		close(deaf)
		<-release
		return fiber.Outcome{Kind: fiber.Done}
	})
	assert.PanicsWithValue(t, "bang", func() {
		_, _ = run(r, func(s *slice) fiber.Outcome { <-deaf; return s.Await(bomb{}) })
	})
	close(release)
	<-gone
}
