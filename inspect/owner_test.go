package inspect

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestAnOwnerThatDoesNotAnswerIsUnavailable(t *testing.T) {
	w := newWorld(t, 1, 3)
	h := New(Config{Core: &w.s.Core, Timeout: 1})
	for _, path := range []string{"summary", "fibers", "fibers/f0.1", "graph", "report"} {
		status, text := refusal(t, h, request(http.MethodGet, "/api/v1/"+path))
		require.Equal(t, http.StatusServiceUnavailable, status, path)
		require.Contains(t, text, "has not answered", path)
	}
	// What was given up is not done later, and a later request is answered.
	w.s.Poll()
	require.Zero(t, h.views.taken.Load())
	h.owner.timeout = 1 << 62
	serve(t, h, func() { require.Equal(t, 3, fetch[Summary](t, h, "/api/v1/summary").Fibers) })
}

// However many requests there are, one command waits in the program's inbox, and a bounded number of requests.
func TestManyRequestsDoNotFillTheInbox(t *testing.T) {
	w := newWorld(t, 1, 1)
	h := New(Config{Core: &w.s.Core, Timeout: 1})
	for range 2 * maxWaiting {
		require.Error(t, h.owner.do(func() {}))
	}
	require.Equal(t, errBusy, h.owner.do(func() {}))
	require.Len(t, h.owner.queue, maxWaiting)
	posted := 0
	for w.s.Inbox().Waiting() {
		w.s.Poll()
		posted++
	}
	require.Equal(t, 1, posted)
	require.Empty(t, h.owner.queue)
}

func TestAfterCloseEveryRequestHearsThatTheRunHasEnded(t *testing.T) {
	w := newWorld(t, 1, 1)
	h := New(patient(w))
	var waiting sync.WaitGroup
	statuses := make(chan int, 8)
	for range cap(statuses) {
		waiting.Go(func() {
			r := httptest.NewRecorder()
			h.ServeHTTP(r, request(http.MethodGet, "/api/v1/report"))
			statuses <- r.Code
		})
	}
	h.Close()
	waiting.Wait()
	close(statuses)
	for status := range statuses {
		require.Equal(t, http.StatusServiceUnavailable, status)
	}
	_, text := refusal(t, h, request(http.MethodGet, "/api/v1/summary"))
	require.Contains(t, text, "ended")
	h.Close()
}

// A run of the scheduler answers between slices, until it ends; Hold answers after that, also if the scheduler is closed.
func TestARunAnswersBetweenSlicesAndHoldAfterIt(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{})
	h := New(Config{Core: &s.Core, Interval: 1, Timeout: 1 << 62})
	_, err := s.SpawnWith(0, scheduler.Options{Name: "spinner", Main: true})
	require.NoError(t, err)
	answered := make(chan Summary)
	go func() { answered <- fetch[Summary](t, h, "/api/v1/summary") }()
	var during Summary
	err = s.Run(long.Context(t), scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
		select {
		case during = <-answered:
			return fiber.Outcome{Kind: fiber.Done}
		default:
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
	}))
	require.NoError(t, err)
	require.Equal(t, Running, during.Verdict)
	require.Equal(t, 1, during.Fibers)

	h.End("done", "all is well")
	h.End("failed", "the second End counts no more")
	s.Close()
	serve(t, h, func() {
		after := fetch[Summary](t, h, "/api/v1/summary")
		require.Equal(t, Ending{"done", "all is well"}, after.Ending)
		require.Zero(t, after.Fibers)
		whole := fetch[Report](t, h, "/api/v1/report")
		require.Equal(t, "done", whole.Verdict)
		require.Equal(t, "all is well", whole.Error)
	})
}

func TestAHandlerWithoutASchedulerIsRefused(t *testing.T) {
	require.PanicsWithValue(t, "inspect: Config.Core is nil: give the scheduler that is to be inspected", func() { New(Config{}) })
}
