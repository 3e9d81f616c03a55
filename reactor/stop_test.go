package reactor_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// panicking is an operation that panics in Begin, or in End.
type panicking struct{ later bool }

func (b panicking) Begin(s *sched, _ *payload) {
	if !b.later {
		panic("bang")
	}
	s.Arm(fiber.Until(s.Now()))
}

func (panicking) End(*sched, *payload, fiber.Ticket, fiber.Result) { panic("bang") }

func TestAPanicOfTheOwnerLeavesRunAfterAllGoroutinesEnded(t *testing.T) {
	for where, step := range map[string]func(*slice) fiber.Outcome{
		"Slice.Do": func(s *slice) fiber.Outcome {
			s.Do(func(*sched) { panic("bang") })
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		},
		"Await.Begin": func(s *slice) fiber.Outcome { return s.Await(panicking{}) },
		"Await.End":   func(s *slice) fiber.Outcome { return s.Await(panicking{later: true}) },
	} {
		t.Run(where, func(t *testing.T) {
			r := newReactor(t, reactor.Config{Workers: 3, InFlight: 8, StallAfter: time.Hour, Drain: time.Hour})
			begun, spinning := make(chan struct{}), make(chan struct{})
			var sliceEnded, workEnded bool // written by goroutines that are joined before the read
			spawn(t, r, 0, func(s *slice) fiber.Outcome {
				close(spinning)
				for !s.Preempted() {
					runtime.Gosched()
				}
				sliceEnded = true
				return fiber.Outcome{Kind: fiber.TimesliceExpired}
			})
			spawn(t, r, 0, func(s *slice) fiber.Outcome {
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
					return step(s)
				})
			})
			assert.True(t, sliceEnded, "a slice goes on")
			assert.True(t, workEnded, "work goes on")
			err := r.IO().Close(context.Background())
			require.NoError(t, err, "it is closed already")
		})
	}
}

func TestAPanicOfTheOwnerWaitsForDrainAtMost(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2, Drain: time.Millisecond})
	stubborn, release, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	spawn(t, r, 0, func(*slice) fiber.Outcome {
		defer close(gone)
		close(stubborn)
		<-release
		return fiber.Outcome{Kind: fiber.Done}
	})
	assert.PanicsWithValue(t, "bang", func() {
		_, _ = run(r, func(s *slice) fiber.Outcome { <-stubborn; return s.Await(panicking{}) })
	})
	close(release)
	<-gone
}

func TestACancelledRunNamesItsStragglers(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2, Drain: time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	release, gone := make(chan struct{}), make(chan struct{})
	var stubborn fiber.RegularID
	_, err := r.Run(ctx, payload{steps: []func(*slice) fiber.Outcome{func(s *slice) fiber.Outcome {
		s.Do(func(*sched) { // it begins when the main fiber sleeps
			stubborn = spawn(t, r, 0, func(*slice) fiber.Outcome {
				defer close(gone)
				cancel()
				<-release
				return fiber.Outcome{Kind: fiber.Done}
			})
		})
		return fiber.BlockOn(fiber.Until(fiber.Never - 1))
	}}})
	var left *reactor.StragglersError
	require.ErrorAs(t, err, &left)
	assert.Equal(t, []fiber.RegularID{stubborn}, left.IDs)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, stubborn.String())
	close(release)
	<-gone
}

func TestStragglersAreNamedWithTheCauseOfTheEnd(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 2, Drain: time.Millisecond})
	begun, release, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	spawn(t, r, 0, func(*slice) fiber.Outcome {
		defer close(gone)
		close(begun)
		<-release
		return fiber.Outcome{Kind: fiber.Done}
	})
	_, err := run(r, then(func(*slice) { <-begun }))
	var left *reactor.StragglersError
	require.ErrorAs(t, err, &left)
	assert.ErrorIs(t, err, scheduler.ErrMainReturned)
	close(release)
	<-gone
}

// The return of the main fiber kills the fiber that waits for the work.
func TestRunCancelsTheWorkThatIsLeft(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 1, Drain: time.Minute})
	begun := make(chan struct{})
	var cause error
	spawn(t, r, 0, func(s *slice) fiber.Outcome {
		return s.Await(work{r.IO(), func(ctx context.Context) int {
			close(begun)
			<-ctx.Done()
			cause = context.Cause(ctx)
			return 0
		}})
	})
	_, err := run(r, sleeps(1), func(*slice) fiber.Outcome { <-begun; return fiber.Outcome{Kind: fiber.TimesliceExpired} })
	require.NoError(t, err)
	assert.ErrorIs(t, cause, blocking.ErrAbandoned)
}
