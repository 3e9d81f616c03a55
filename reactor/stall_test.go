package reactor_test

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALongSliceIsPreempted(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 1, StallAfter: time.Millisecond})
	ended := 0
	_, err := run(r, func(s *slice) fiber.Outcome {
		for !s.Preempted() {
			runtime.Gosched()
		}
		ended++
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	})
	require.NoError(t, err)
	assert.Equal(t, 1, ended)
}

func TestAStalledSliceIsReportedOnceAndItsFiberKilledOnRequest(t *testing.T) {
	for _, kills := range []bool{false, true} {
		reported := make(chan struct{})
		type report struct {
			id  fiber.RegularID
			ran time.Duration
		}
		var reports []report
		r := newReactor(t, reactor.Config{
			Workers: 2, StallAfter: 100 * time.Microsecond, Refusals: 3,
			Stalled: func(id fiber.RegularID, ran time.Duration) (kill error) {
				if reports = append(reports, report{id, ran}); len(reports) == 1 {
					close(reported)
				}
				if kills {
					kill = errStalled
				}
				return kill
			},
		})
		goesOn := false
		var end ioqueue.Cell
		var cause error
		stubborn, err := r.Scheduler().SpawnWith(payload{steps: []func(*slice) fiber.Outcome{func(s *slice) fiber.Outcome {
			<-reported
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}, then(func(*slice) { goesOn = true })}}, scheduler.Options{Cell: &end, Ended: func(_ any, err error) { cause = err }})
		require.NoError(t, err)
		_, err = run(r, func(s *slice) fiber.Outcome { return s.Await(join{&end}) })
		require.NoError(t, err)
		require.NotEmpty(t, reports)
		assert.Equal(t, stubborn, reports[0].id)
		assert.GreaterOrEqual(t, reports[0].ran, 300*time.Microsecond)
		assert.Equal(t, kills, !goesOn)
		assert.Equal(t, kills, errors.Is(cause, errStalled))
	}
}

var errStalled = errors.New("stalled")

// join is an operation that waits for the end of a fiber.
type join struct{ end *ioqueue.Cell }

func (op join) Begin(s *sched, _ *payload) {
	if !op.end.Completed() {
		if err := op.end.Park(s.ArmOn(op.end.Source()), 0); err != nil {
			panic(err)
		}
	}
}

func (join) End(*sched, *payload, fiber.Ticket, fiber.Result) {}

// waitsFor polls until the fiber is dead.
func waitsFor(id fiber.RegularID) func(*slice) fiber.Outcome {
	return func(s *slice) fiber.Outcome {
		s.Data.at--
		s.Do(func(sc *sched) {
			if sc.Inspect().State(id.ID()) == fiber.Dead {
				s.Data.at++
			}
		})
		return fiber.BlockOn(fiber.Until(s.Now.After(100 * time.Microsecond)))
	}
}
